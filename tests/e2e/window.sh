#!/usr/bin/env bash
# The window in a real X server: shows what is sent to it, takes a file from a second call, is zoomed and
# filtered by keys, and has the stack on the clipboard that it shows.
# shellcheck disable=SC2317 # what is called through others is reachable
# usage: window.sh HEARTH HEARTH_DATA_FOLDER
set -euo pipefail

hearth=$1
data=$2
for tool in Xvfb xdotool xclip; do
    command -v "$tool" >/dev/null || { echo "SKIP: there is no $tool"; exit 77; }
done

folder=$(mktemp -d)
server=
program=
cleanup()
{
    [[ -z $program ]] || kill "$program" 2>/dev/null || true
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    rm -rf "$folder"
}
trap cleanup EXIT

fail()
{
    echo "FAILED: $*" >&2
    exit 1
}

eventually() # COMMAND…: tries for a minute
{
    local try
    for ((try = 0; try < 600; ++try)); do
        if "$@"; then return; fi
        sleep 0.1
    done
    fail "$*"
}

export HOME=$folder XDG_RUNTIME_DIR=$folder QT_QPA_PLATFORM=xcb
unset WAYLAND_DISPLAY
exec {numbers}<> <(:)
Xvfb -displayfd "$numbers" -screen 0 1440x900x24 >/dev/null 2>&1 &
server=$!
read -r -t 20 -u "$numbers" display || fail "Xvfb does not start"
export DISPLAY=:$display

"$hearth" --listen "unix:$folder/port" &
program=$!
visible() { xdotool search --all --onlyvisible --pid "$program" --name "$1" >/dev/null 2>&1; }
eventually visible '^Hearth$'

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

copied() # TEXT: what Ctrl+Shift+C puts on the clipboard
{
    xdotool key ctrl+shift+c
    [[ $(timeout 5 xclip -selection clipboard -o 2>/dev/null) == "$1" ]]
}

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
kill -0 "$program" || fail "the program has ended"

xdotool key ctrl+q
for ((try = 0; try < 600; ++try)); do
    kill -0 "$program" 2>/dev/null || { wait "$program" && program= && exit 0; fail "the program ended with $?"; }
    sleep 0.1
done
fail "Ctrl+Q does not end the program"
