#!/usr/bin/env bash
# The window in a real X server: shows what is sent to it, takes a file from a second call, is zoomed and
# filtered by keys, and has the stack on the clipboard that it shows.
# usage: window.sh HEARTH HEARTH_DATA_FOLDER
set -euo pipefail

hearth=$1
data=$2
# shellcheck source=tests/e2e/desktop.sh
. "$(dirname "$0")/desktop.sh"
startProgram "$hearth"

# What is sent is shown.
"$hearth" send "$data/otlp/v1.10.0-async.pb" --to "unix:$folder/port" >/dev/null || fail "nothing takes what is sent"
eventually visible '^Live .* – Hearth$'

# A second call hands its file over and ends.
cat >"$folder/shop.folded" <<'EOF'
main;parse;alloc 60
main;parse;copy 20
main;render;draw 120
EOF
timeout 10 "$hearth" "$folder/shop.folded" || fail "the second call does not end"
eventually visible '^shop.folded – Hearth$'

# Without a window manager the keyboard is where the pointer is. Down goes to the heaviest callee.
xdotool mousemove 600 600 click 1
xdotool key Down Down Down
eventually copied $'main\nrender\ndraw'
xdotool key Up Return Escape # fits render, and all again
eventually copied $'main\nrender'
xdotool key slash
xdotool type --delay 20 'hide:^render$'
xdotool key Return
xdotool mousemove 600 600 click 1
xdotool key Down Down
eventually copied $'main\ndraw'
xdotool key ctrl+z Down Down
eventually copied $'main\nrender'
xdotool key ctrl+p
xdotool type --delay 20 "copy name"
xdotool key Return 2 3 4 1 question Escape
endProgram
