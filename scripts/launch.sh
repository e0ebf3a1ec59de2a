#!/bin/sh
# Installs what is missing with whatever Node the machine has, then becomes the program under the pinned Node,
# so that a signal sent to npm reaches the program itself.
set -e
cd "$(dirname "$0")/.."
node scripts/install.mjs
exec node_modules/.bin/node "$@"
