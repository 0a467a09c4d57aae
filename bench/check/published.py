# SPDX-License-Identifier: Apache-2.0
"""The published figures of maximal causality reduction under SC, TSO and PSO.

Tables 3.2, 3.4, 3.5, 3.6, 4.1 to 4.3 and 5.1 to 5.4 of the dissertation.
Executions per memory model (SC, TSO, PSO) as printed: `*` ended by a time limit of an hour, `e` the tool
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

# Chapter 4: reads that do not matter. Program, macros, its dependence graph
# (seconds, nodes, edges; Table 4.1), reads and constraints of MCR, MCR-S, MCR-S+
# (Table 4.2), their executions (Table 4.3), what differs.
DEPENDENCE = [
    ("counter-paper", "-DMAX=5", "2.00 289 1,440", "55,886 37,515 45,972", "202,039 108,270 131,053", "4,523 6,550 3,485", ""),
    ("airline-paper", "-DN=4", "2.10 809 4,902", "15,632 15,328 15,599", "24,643 24,475 24,625", "14 14 14", ""),
    ("ping_pong-paper", "-DN=4", "2.52 914 5,244", "1,905 1,376 1,906", "5,225 3,684 5,227", "394 535 394", "4 threads"),
    ("bubble_sort-paper", "-DN=3", "2.14 911 5,710", "5,583,561 3,574,528 5,087,528", "3,487,802 2,158,422 3,046,852",
     "5,823* 1,828* 6,885*", "three numbers instead of four"),
    ("pool-paper", "", "3.67 2,848 17,586", "143 94 117", "68 12 36", "- - -", "the core of the program only"),
    ("string_buffer-paper", "", "2.96 2,129 12,310", "102 102 102", "30 30 30", "- - -", "the core of the program only"),
    ("crawler-paper", "", "8.01 22,094 167,492", "120,161 103,155 90,096", "5,676 3,920 4,217", "967 756 668",
     "the core of Weblech only; Derby has no port"),
]

# Chapter 5: executions that siblings share. Program, macros, executions of MCR
# and SE-MCR and the latter's extra memory (Table 5.1), executions of Nidhugg
# (Table 5.2), races and null dereferences found by SE-MCR (Tables 5.3, 5.4).
SIBLINGS = [
    ("rv_example-paper", "", "107 77", "2.8 KB", "577", "10 0"),
    ("account-paper", "", "27,830 14,124", "353 KB", "-", "3 0"),
    ("airline-paper", "-DN=4", "2,222 1,354", "60.2 KB", "-", "0 0"),
    ("allocation-paper", "", "169 113", "6.6 KB", "-", "0 0"),
    ("bubble_sort-paper", "-DN=3", "29,148 8,084", "181 KB", "-", "7 0"),
    ("ping_pong-paper", "-DN=4", "411 282", "26.9 KB", "-", "7 1"),
    ("pool-paper", "", "3 3", "370 B", "-", "0 0"),
    ("string_buffer-paper", "", "8 8", "249 B", "-", "0 0"),
    ("peterson-paper", "-DN=4", "402 402", "1.9 KB", "780", "- -"),
    ("bakery-paper", "", "822 766", "2.9 KB", "3,137", "- -"),
    ("lamport-paper", "", "1,192 103", "3.8 KB", "132,034", "- -"),
    ("dekker-paper", "-DN=4", "4,474 1,648", "49.5 KB", "34,931", "- -"),
    ("crawler-paper", "", "- 185*", "-", "-", "6 1"),
]
