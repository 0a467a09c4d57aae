/* SPDX-License-Identifier: Apache-2.0
 *
 *   sequences ORDER [PLACE]... STEP...     performs one sequence (under Heddle)
 *   sequences                              natively: the same for each line of standard input, in a process of its own
 *
 * ORDER is the threads to create, in which order: 123. Natively a line of output says how
 * the sequence ended and what was reported:
 *
 *   exit 0 : 72057594037927936 144115188075855872
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sequence.h"

static void run_sequence(int count, char** words) {
  Object on_stack[kMostObjects];
  Object* objects[kMostObjects] = {NULL};
  Step steps[kMostSteps];
  int steps_read = 0;
  use_stack(on_stack);
  for (int i = 1; i < count; ++i) {
    char* const word = words[i];
    if (word[1] == '=') {
      char* content = strchr(word, ':');
      if (!content || word[0] < '0' || word[0] >= '0' + kMostObjects) refuse("no object", word);
      *content++ = '\0';
      objects[word[0] - '0'] = object_at(word + 2, word[0] - '0', content);
    } else {
      if (steps_read == kMostSteps) refuse("too many steps", word);
      steps[steps_read++] = read_step(word, objects);
    }
  }
  run_steps(steps, steps_read, words[0]);
}

#ifdef __HEDDLE__

int main(int argc, char** argv) {
  if (argc < 2) refuse("no sequence", "");
  run_sequence(argc - 1, argv + 1);
  return 0;
}

#else

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern int64_t* kept_reports;

static void run_line(char* line) {
  enum { kMostWords = 1 + kMostObjects + kMostSteps, kSecondsForASequence = 20 };
  char* words[kMostWords];
  int count = 0;
  for (char* word = strtok(line, " \n"); word && count < kMostWords; word = strtok(NULL, " \n")) words[count++] = word;
  if (!count) refuse("an empty line", "");
  kept_reports[0] = 0;
  const pid_t child = fork();
  if (child == 0) {
    alarm(kSecondsForASequence);
    dup2(open("/dev/null", O_WRONLY), 2); /* what the C library says before it aborts */
    run_sequence(count, words);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    printf("signal %d :", WTERMSIG(status));
  } else {
    printf("exit %d :", WEXITSTATUS(status));
  }
  for (int64_t i = 1; i <= kept_reports[0]; ++i) printf(" %ld", (long)kept_reports[i]);
  printf("\n");
  fflush(stdout);
}

int main(int argc, char** argv) {
  enum { kMostReports = 4096 };
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  kept_reports =
      mmap(NULL, kMostReports * sizeof *kept_reports, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (argc > 1) {
    run_sequence(argc - 1, argv + 1);
    for (int64_t i = 1; i <= kept_reports[0]; ++i) printf("%ld\n", (long)kept_reports[i]);
    fflush(stdout);
    _exit(0);
  }
  char line[4096];
  while (fgets(line, sizeof line, stdin)) run_line(line);
  return 0;
}

#endif
