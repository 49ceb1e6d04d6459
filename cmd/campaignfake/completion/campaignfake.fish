# Completion of campaignfake in fish: campaignfake completion fish | source
function __campaignfake
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] completion --words $words[2..] "$word" 2>/dev/null)
        if test "$line" = :
            if string match -q -- '--*=*' "$word"
                set -l flag (string replace -r '=.*' '' -- "$word")
                for file in (__fish_complete_path (string replace -r '^[^=]*=' '' -- "$word"))
                    printf '%s=%s\n' $flag $file
                end
            else
                __fish_complete_path "$word"
            end
        else
            printf '%s\n' $line
        end
    end
end
complete -c campaignfake -f -a '(__campaignfake)'
