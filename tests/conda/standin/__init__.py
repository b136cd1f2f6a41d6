# SPDX-License-Identifier: Apache-2.0
"""A local conda channel of stand-in packages.

The names, the dependency edges and the file layout are conda-forge's; the bytes come from wheels,
Debian packages and the running interpreter.  The build string `standin_0` says so in every package.
Nothing made here may be published: the parts keep their own licences.
"""
