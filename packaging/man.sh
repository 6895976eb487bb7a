#!/usr/bin/env bash
# A manual page of what a program says of itself, with a section for each of its commands.
# usage: man.sh PROGRAM DESCRIPTION
set -euo pipefail

program=$1
name=$(basename "$program")
version=$("$program" --version)

escaped() # a text as troff takes it, blanks and lines as they are
{
    sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\([.']\)/\\\\\&\1/"
}

verbatim()
{
    printf '.nf\n'
    escaped
    printf '.fi\n'
}

commands() # the names that hearth's own help lists
{
    "$program" --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

printf '.TH %s 1 "" "%s" "Hearth"\n' "${name^^}" "$version"
printf '.SH NAME\n%s \\- %s\n' "${name//-/\\-}" "$2"
printf '.SH DESCRIPTION\n'
"$program" --help | verbatim
for command in $(commands); do
    printf '.SH "%s %s"\n' "${name^^}" "${command^^}"
    "$program" "$command" --help | verbatim
done
printf '.SH "SEE ALSO"\n'
if [[ $name == hearth ]]; then printf '.BR hearth\\-agent (1)\n'; else printf '.BR hearth (1)\n'; fi
