# For tests of the window in a real X server, which source this: the server, and how to wait and to fail.
# shellcheck shell=bash
# shellcheck disable=SC2317 # what is called through others is reachable

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

visible() # TITLE: whether the program has a window of that title, a regular expression
{
    xdotool search --all --onlyvisible --pid "$program" --name "$1" >/dev/null 2>&1
}

copied() # PATTERN: what Ctrl+Shift+C puts on the clipboard, the stack that is selected
{
    xdotool key ctrl+shift+c
    # shellcheck disable=SC2053 # it is a pattern
    [[ $(timeout 5 xclip -selection clipboard -o 2>/dev/null) == $1 ]]
}

startProgram() # HEARTH: as its user starts it, listening at $folder/port
{
    export HOME=$folder XDG_RUNTIME_DIR=$folder QT_QPA_PLATFORM=xcb
    unset WAYLAND_DISPLAY
    local numbers display
    exec {numbers}<> <(:)
    Xvfb -displayfd "$numbers" -screen 0 1440x900x24 >/dev/null 2>&1 &
    server=$!
    read -r -t 20 -u "$numbers" display || fail "Xvfb does not start"
    export DISPLAY=:$display
    "$1" --listen "unix:$folder/port" &
    program=$!
    eventually visible '^Hearth$'
}

endProgram() # by its key, with success
{
    kill -0 "$program" || fail "the program has ended"
    xdotool key ctrl+q
    local try
    for ((try = 0; try < 600; ++try)); do
        kill -0 "$program" 2>/dev/null || { wait "$program" && program= && return; fail "the program ended with $?"; }
        sleep 0.1
    done
    fail "Ctrl+Q does not end the program"
}
