# SPDX-License-Identifier: Apache-2.0
"""Speed as ratios: fkl beside its honest peers, in one run, each result checked before it is timed.

`python -m benchmarks` runs every subject. A subject is a module with `samples(threads)`, which runs
in a process of its own, and `figures(samples)`, which makes ratios of what came back.
"""
