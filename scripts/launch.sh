#!/bin/sh
# Installs what is missing with whatever Node the machine has, then becomes the program under the pinned Node,
# so that a signal sent to npm reaches the program itself. With --production it installs only what running needs.
set -e
cd "$(dirname "$0")/.."
need=
if [ "$1" = --production ]; then
  need=$1
  shift
fi
# npm puts the pinned Node first, which may be another than its own, and of another machine.
PATH="${PATH#"$PWD/node_modules/.bin:"}" node scripts/install.mjs $need
# Compiled code is kept for the next start and for every process that this one starts. Only where it can be: Node may
# wait forever for a folder that cannot be made. Set but empty, the variable turns this off.
kept="$PWD/node_modules/.cache/compiled"
if [ -z "${NODE_COMPILE_CACHE+set}" ] && mkdir -p "$kept" 2>/dev/null && [ -w "$kept" ]; then
  export NODE_COMPILE_CACHE="$kept"
fi
exec node_modules/.bin/node "$@"
