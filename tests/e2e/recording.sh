#!/usr/bin/env bash
# The window in a real X server records this machine with the real sampler, by keys: what a program of known
# calls does meanwhile is in the flame graph, by name.
# usage: recording.sh HEARTH KNOWN_CALLS
set -euo pipefail

hearth=$1
knownCalls=$2
# shellcheck source=tests/e2e/desktop.sh
. "$(dirname "$0")/desktop.sh"
"$(dirname "$hearth")/hearth-agent" --for 1ms -o "$folder/trial.otlp" 2>"$folder/why" ||
    { echo "SKIP: the sampler cannot record here: $(<"$folder/why")"; exit 77; }
startProgram "$hearth"

# Without a window manager the keyboard is where the pointer is.
xdotool mousemove 700 150 click 1 key ctrl+shift+p
xdotool type --delay 20 "record this machine"
xdotool key Return
eventually visible '^record of '
"$knownCalls" recurse 3 >/dev/null
xdotool key ctrl+r
eventually visible '^record of .*, [0-9]'

xdotool mousemove 600 600 key slash
xdotool type --delay 20 'recurse'
xdotool key Return
xdotool click 1
xdotool key Down Down Down Down Down Down Down Down Down Down
eventually copied $'*main\nrecurse\nrecurse\nrecurse\n*'
endProgram
