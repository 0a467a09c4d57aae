#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle reproduce: what was read, asked or drawn in the recorded run is told to the
# controlled ones, whatever function of the C or C++ library brought it.
#
#   reproduce_inputs_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
cd "$work" || exit 1

# make_program NAME SUFFIX INCLUDES STATEMENTS: two threads lose what one of them adds. How much that is, and how often the
# first thread goes round a loop, is what the statements put into `number`.
make_program() {
  cat > "$1.$2" <<C
$3
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int sum, looks, step;
static void* add(void* unused) {
  int old = sum;
  usleep(1000);
  sum = old + step;
  return unused;
}
int main(void) {
  int number = 0;
  $4
  if (number == 0) return 0;
  step = number;
  for (int i = 0; i < (number & 63); ++i) ++looks;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  if (sum != 2 * step) abort();
  return 0;
}
C
  "$heddle" "$(test "$2" = c && echo cc || echo c++)" -g -O2 -pthread "$1.$2" -o "$1" 2> err
}

# record PROGRAM: until a run fails.
record() {
  recording=
  for _ in $(seq 20); do
    printf '7 8 9\nline two\n13\nx\n' | timeout -k 1 60 "$heddle" record "$1" > out 2> err
    recording=$(find "$HEDDLE_DIR/runs" -maxdepth 1 -name '*-record' | sort | tail -1)
    test -e "$recording/recording" && return 0
  done
  return 1
}

# told FUNCTION SUFFIX INCLUDES STATEMENTS: with other input, the run is the recorded one at once.
told() {
  make_program "$@" && record "./$1" && gives 0 reproduce "$recording" --seconds=30 --format=json < /dev/null &&
    answers '"follows_paths": true' && answers '"executions": 1,'
  check "$1"
}

told scanf c '' 'char word[20]; int a, b; if (scanf("%d %d %d %s", &number, &a, &b, word) != 4 || a != 8 || b != 9 || word[0] != 108) return 0;'
gives 0 replay < /dev/null; check "and again when it is replayed"
told fscanf c '' 'char* word = 0; if (fscanf(stdin, "%d%*d%*d%ms", &number, &word) != 2 || word[3] != 101) return 0; free(word);'
told getline c '#define _GNU_SOURCE' 'char* line = 0; size_t room = 0; if (getline(&line, &room, stdin) != 6) return 0; number = atoi(line); while (getline(&line, &room, stdin) > 0) ++number; free(line);'
told getchar c '' 'number = getchar() - 48; while (!feof(stdin)) if (getchar() >= 0) ++number;'
told fgets c '' 'char line[99]; if (!fgets(line, 99, stdin)) return 0; number = atoi(line); while (fgets(line, 99, stdin)) ++number;'
told cin_number cc '#include <iostream>' 'if (!(std::cin >> number)) return 0;'
told cin_text cc '#include <iostream>
#include <string>' 'std::string line, word; if (!std::getline(std::cin, line)) return 0; number = atoi(line.c_str()); while (std::cin >> word) number += word == "line" ? 8 : 1;'
told text_stream cc '#include <iostream>
#include <sstream>' 'std::string line; if (!std::getline(std::cin, line)) return 0; std::istringstream in(line); for (int a; in >> a;) number += a;'
told file_stream cc '#include <fstream>' 'std::ifstream file("/proc/self/stat"); file >> number; number |= 1;'
told time c '#include <time.h>' 'number = (int)time(0) | 1;'
told gettimeofday c '#include <sys/time.h>' 'struct timeval now; gettimeofday(&now, 0); number = (int)now.tv_usec | 1;'
told chrono cc '#include <chrono>' 'number = (int)(std::chrono::steady_clock::now().time_since_epoch().count() & 63) | 1;'
told rand c '' 'srand((unsigned)getpid()); number = rand() | 1;'
told random_device cc '#include <random>' 'std::random_device device; number = (int)(device() & 63) | 1;'
told stat c '#include <sys/stat.h>' 'struct stat facts; char name[99]; if (stat("/proc/self/exe", &facts) || readlink("/proc/self/exe", name, 99) < 9) return 0; number = ((int)facts.st_size & 255) + name[5] + 1;'
told poll c '#include <poll.h>' 'struct pollfd one = {0, POLLIN, 0}; char digit; if (poll(&one, 1, 1000) != 1 || !(one.revents & POLLIN) || read(0, &digit, 1) != 1) return 0; number = digit - 48;'
told select c '#include <sys/select.h>' 'fd_set set; char digit; FD_ZERO(&set); FD_SET(0, &set); if (select(1, &set, 0, 0, 0) != 1 || read(0, &digit, 1) != 1) return 0; number = digit - 48;'
told recv c '#include <sys/socket.h>' 'int pair[2]; char one = 55, other = 0; socketpair(AF_UNIX, SOCK_STREAM, 0, pair); send(pair[0], &one, 1, 0); if (recv(pair[1], &other, 1, 0) != 1) return 0; number = other - 48;'
told sysconf c '' 'number = (int)sysconf(_SC_NPROCESSORS_ONLN) * 8 + 1;'

# A function that nobody knows: what it brings cannot be told, and that is said.
make_program unknown c '#include <sys/times.h>' 'struct tms used; number = (int)(times(&used) & 31) + 20; if (getpid() < 0) number = 0;' &&
  record ./unknown && gives 4 reproduce "$recording" --seconds=30 --format=json < /dev/null && answers '"inputs-not-given"' && answers 'recorded run: times"'
check "what cannot be told is named"
test "$(sed -n 's/.*"executions": \([0-9]*\),/\1/p' out)" -lt 300; check "and not searched for long"
summary
