# SPDX-License-Identifier: Apache-2.0
"""The published figures of maximal causality reduction under SC, TSO and PSO.

Tables 3.2, 3.4, 3.5 and 3.6 of the dissertation, executions per memory model
(SC, TSO, PSO) as printed: `*` ended by a time limit of an hour, `e` the tool
threw an exception, `!` ended without the bug, `-` not given. Table 3.5 has one
line for the Example: its PSO error stands here with N=1, the rest with N=4.
"""

# program, macros of our port, DPOR, MCR, executions to the first error by DPOR,
# SATCheck (no PSO) and MCR, what differs between the published program and ours
EXPLORED = [
    ("dekker-paper", "-DN=4", "248 252 508", "62 98 155", "22 28 29", "32* 68735* -", "10 4 5", ""),
    ("lamport-paper", "", "128 208 2672", "14 91 102", "6 8 24", "e e -", "2 2 3", "bound of the waits not given; here 1"),
    ("bakery-paper", "", "350 1164 2040", "77 158 165", "12 15 15", "e e -", "8 8 15", "bound of the waits not given; here 1"),
    ("peterson-paper", "", "36 95 120", "13 18 19", "4 5 6", "19! 34282* -", "7 2 3", "bound of the waits not given; here 1"),
    ("stack_unsafe-paper", "-DSIZE=3", "252 252 252", "29 46 108", "6 6 6", "e e -", "2 2 2",
     "size 10 in the description, but its 34 events are those of size 2; here 3"),
    ("rv_example-paper", "", "1959 e e", "57 64 70", "301 e e", "60564* 70365* -", "53 54 39", ""),
    ("example-paper", "-DN=1", "4 4 e", "2 2 10", "- - e", "1! 1! -", "- - 3", ""),
    ("example-paper", "-DN=2", "105 105 e", "43 43 89", "- - -", "- - -", "- - -",
     "from N=2 on the error is reachable under SC; the publication found it under PSO only"),
    ("example-paper", "-DN=3", "4282 4282 e", "296 296 819", "- - -", "- - -", "- - -", ""),
    ("example-paper", "-DN=4", "14840* 14840* e", "2767 2767 8420", "14840! 14840! e", "- - -", "2767! 2767! -", ""),
]

# program, macros, MCR's executions, data races, what differs
REAL_PROGRAMS = [
    ("account-paper", "-DPLAIN", "7 12 12", "3 3 3", "two depositors and two withdrawers, as in the description"),
    ("airline-paper", "-DPLAIN -DLOCKED -DN=4", "8 11 11", "0 0 0",
     "main reads the flag without the lock, which is a race by the rules of C11"),
    ("string_buffer-paper", "-DPLAIN", "3 3 3", "0 0 0", "three threads"),
    ("allocation-paper", "-DPLAIN", "30 30 30", "0 0 0", ""),
    ("ping_pong-paper", "-DPLAIN -DN=4", "411 483 527", "7 7 7", "4 threads instead of 5"),
    ("crawler-paper", "-DPLAIN", "178 103 116", "6 6 6", "the core of the program only"),
]
