#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run a program of a conda prefix in a root that holds nothing but the prefix and glibc's run-time libraries: no
# system compiler, headers, Python, shell or network.  That is what "on a fresh machine" means; an empty environment
# alone does not show it.
#
#   jail.sh [-w] [-s] [-d FOLDER] [-e NAME=VALUE]... PREFIX COMMAND ARGUMENTS...
#
#   -w  the prefix may be written (it is read-only otherwise)
#   -s  put a shell at /bin/sh, which nvcc needs
#   -d  a folder to be seen, read-only, as /input
#   -o  a folder to be seen, writable, as /output
#   -e  a variable; there are no others
# COMMAND is relative to the prefix: bin/python.  Needs root, for the mounts.
set -eu
writable= shell= input= output= variables=
newline='
'
while getopts wsd:o:e: option; do
  case $option in
    w) writable=1 ;;
    s) shell=1 ;;
    d) input=$(readlink -f "$OPTARG") ;;
    o) output=$(readlink -f "$OPTARG") ;;
    e) variables="$variables$OPTARG$newline" ;;
    *) exit 98 ;;
  esac
done
shift $((OPTIND - 1))
prefix=$(readlink -f "$1")
program=$prefix/$2
shift 2
jail=$(mktemp -d)
trap 'rm -rf --one-file-system "$jail"' EXIT

mkdir -p "$jail/lib64" "$jail/lib/x86_64-linux-gnu" "$jail/tmp" "$jail/proc" "$jail/dev" "$jail/etc" "$jail/bin" \
  "$jail/input" "$jail/output"
cp -L /lib64/ld-linux-x86-64.so.2 "$jail/lib64/"
for library in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libutil.so.1 libresolv.so.2; do
  [ ! -e "/lib/x86_64-linux-gnu/$library" ] ||
    cp -L "/lib/x86_64-linux-gnu/$library" "$jail/lib/x86_64-linux-gnu/"
done
[ -z "$shell" ] || cp -L /bin/dash "$jail/bin/sh"
echo 'root:x:0:0::/:' > "$jail/etc/passwd"

# One NAME=VALUE a line becomes one argument of env each, spaces kept.
set -- "$program" "$@"
IFS=$newline
set -f
# shellcheck disable=SC2086
set -- $variables /usr/sbin/chroot "$jail" "$@"
unset IFS
export jail prefix input output writable
unshare -mn sh -c '
  {
    mount -t tmpfs tmpfs "$jail/tmp" && mkdir -p "$jail$prefix" && mount --bind "$prefix" "$jail$prefix" &&
    { [ -n "$writable" ] || mount -o remount,bind,ro "$jail$prefix"; } &&
    { [ -z "$input" ] || { mount --bind "$input" "$jail/input" && mount -o remount,bind,ro "$jail/input"; }; } &&
    { [ -z "$output" ] || mount --bind "$output" "$jail/output"; } &&
    mount -t proc proc "$jail/proc" && mount --bind /dev "$jail/dev"
  } || exit 99
  exec env -i "$@"' sh "$@"
