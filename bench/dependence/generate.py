#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py PARTS: a C program of about 59 lines a part, on standard output.

Each part has a list with a lock, a function called through a pointer in the
list's nodes, and a function that inserts, walks, switches, calls other parts and
removes. Same number, same program."""
import random
import sys

HEAD = """#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct list;
struct node {
  struct node *next, *prev;
  int key, value;
  struct list *owner;
  int (*operation)(struct node *, int);
  char name[16];
};
struct list {
  struct node *head;
  int size;
  pthread_mutex_t lock;
  struct list *other;
};
"""

PART = """static struct list list{i};
static int counter{i};
static int operation{i}(struct node *n, int x) {{
  if (!n) return x;
  n->value += x;
  if (n->value > {a}) n->key = counter{i};
  return n->key + x;
}}
static int work{i}(struct list *l, int depth, int x) {{
  int total = 0, local[8];
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  if (depth <= 0) {{
    free(n);
    return x;
  }}
  memset(local, 0, sizeof local);
  n->operation = operation{i};
  n->owner = l;
  n->key = x;
  n->value = depth;
  n->prev = 0;
  pthread_mutex_lock(&l->lock);
  n->next = l->head;
  if (l->head) l->head->prev = n;
  l->head = n;
  l->size++;
  pthread_mutex_unlock(&l->lock);
  for (int i = 0; i < 8; i++) {{
    local[i] = x + i * {b};
    if (local[i] % 3 == 0) continue;
    total += local[i];
  }}
  for (struct node *m = l->head; m; m = m->next) {{
    if (m->key == x && m->operation)
      total += m->operation(m, x);
    else if (m->value > {c})
      break;
    total ^= m->value;
  }}
  switch (x % 5) {{
    case 0: counter{i} += total; break;
    case 1: counter{i} -= x; break;
    case 2: total = counter{i}; /* on */
    default: total++;
  }}
{calls}  snprintf(n->name, sizeof n->name, "%d", total);
  while (l->size > {d}) {{
    struct node *old = l->head;
    if (!old) break;
    l->head = old->next;
    l->size--;
    if (old != n) free(old);
  }}
  return total + l->size;
}}
"""

CALL = """  if (total > {a})
    total += work{c}(&list{l}, depth - 1, total);
  else
    counter{c} = operation{c}(l->head, total);
"""


def main():
    parts = int(sys.argv[1])
    random.seed(parts)
    print(HEAD, end="")
    for i in range(parts):
        near = range(max(0, i - 40), i)
        callees = random.sample(near, min(2, len(near)))
        calls = "".join(CALL.format(a=random.randint(1, 999), c=c, l=random.choice([i, c])) for c in callees)
        if callees:
            calls += f"  list{i}.other = &list{callees[0]};\n  if (l->other && l->other->size > 3) l = l->other;\n"
        numbers = {name: random.randint(1, 50) for name in "abcd"}
        print(PART.format(i=i, calls=calls, **numbers), end="")
    print("int main(void) {\n  int total = 0;")
    for i in range(parts):
        print(f"  pthread_mutex_init(&list{i}.lock, 0);\n  total += work{i}(&list{i}, 3, {i});")
    print("  return total & 1;\n}")


main()
