"""Constructions that say that something succeeded, or that a failure before it is gone.

Rows for `constructions`, in the form that `failing` describes. A removal takes away a
failure that stands before it in its clause ("the error no longer shows").
"""

from typing import Final

ROWS: Final[tuple[tuple[str, str, str], ...]] = (
    (
        "success", "never",
        (r"never (?:saw|seen|heard of|came|happened|occurred|had"
         r"|met)(?: \w+){0,4} (?:again|since)\b"),
    ),
    (
        "success", "cannot can could no",
        (r"(?:can(?:no|')t|cannot|could(?:n't| not)"
         r"|no longer) (?:be )?reproduced? (?:\w+ ){0,4}?(?:any ?more|again|now)\b"),
    ),
    (
        "success",
        ("exploit exploits attack attacks attacker payload injection bypass forged "
            "tampered malicious replay replayed unsigned intruder phishing spam scraper "
            "bots xss csrf invalid brute fuzzer"),
        (r"(?:exploits?|attacks?|attackers?|payloads?|injections?|bypass|forged \w+"
         r"|tampered \w+|malicious \w+|replay(?:ed)? \w+|unsigned \w+|intruders?"
         r"|phishing \w+|spam|scrapers?|bots|xss|csrf|invalid (?:tokens?|requests?"
         r"|input|uploads?|signatures?)|brute force)(?: [\w']+){0,5}? (?:no longer "
         r"(?:works?|succeeds?|goes through|gets through|possible)|does(?:n't"
         r"| not) work|fails?(?: now)?|failed|gets? an? 4\d\d|(?:is|are|was|were|gets?"
         r"|got) (?:now |all )?(?:blocked|rejected|refused|denied|caught|stopped"
         r"|dropped|bounced|thwarted))\b"),
    ),
    (
        "success",
        ("scanner scan audit linter lint fuzzer valgrind sanitizer sanitizers review "
            "checker pen profiler monitoring asan tsan"),
        (r"(?:scanner|scan|audit|linter|lint|fuzzer|valgrind|sanitizers?|review"
         r"|checker|pen ?test|profiler|monitoring|asan|tsan)(?: \w+){0,2} (?:finds?"
         r"|found|reports?|reported|shows?|showed|sees?|saw|raised"
         r"|complains? about) (?:nothing|none|no)\b"),
    ),
    (
        "success",
        "lost loses lose dropped missed breaks broke leaked corrupted skipped",
        (r"(?:lost|loses?|dropped|missed|breaks|broke|leaked|corrupted"
         r"|skipped) (?:(?:no|not a single|not one|zero) \w+|none|nothing)\b"),
    ),
    (
        "success", "not none",
        (r"(?:not (?:a single )?one(?: since)?<end>|none (?:since|in the|after|so far"
         r"|any ?more|to date))"),
    ),
    (
        "success", "pager phones alerts oncall support",
        (r"(?:pagers?|phones?|alerts?|on call|support|help desk) (?:stay(?:s|ed)?|is"
         r"|was|were|remain(?:s|ed)|has been|have been) (?:silent|quiet)\b"),
    ),
    (
        "removal", "no not   never does  did  do  stopped",
        (r"(?:no longer|not|never|doesn't|didn't|don't|hasn't"
         r"|stopped) (?:\w+ly )?(?:shows?|showed|showing|appear\w*|occur\w*|happen\w*"
         r"|come back|came back|go(?:ne)? off|return\w*|surfac\w*|reproduc\w*"
         r"|trigger\w*|exists?|seen|there|present|visible|leaks?|bites?|possible"
         r"|reachable)(?: up)?\b"),
    ),
    (
        "removal", "passed passes passing has have green runs",
        (r"(?:(?:has|have) (?:now )?(?:passed|been (?:green|stable|quiet|clean|fine))"
         r"|pass(?:es|ed) (?:\d+|every|all|on|in|reliably)|(?:green|clean"
         r"|stable) (?:for|since|in))\b"),
    ),
    (
        "removal", "as by wie como comme",
        (r"(?:as (?:intended|designed|planned|it should|they should|it must|required"
         r"|specified|wanted|desired|hoped)|by design|wie (?:vorgesehen|geplant"
         r"|gewunscht|gewollt|vorgeschrieben)|como (?:debe|estaba previsto|previsto"
         r"|se queria)|comme (?:prevu|voulu|il se doit|souhaite))\b"),
    ),
    (
        "success", "as by wie como comme",
        (r"(?:as (?:intended|designed|planned|it should|they should|required|specified"
         r"|expected|hoped)|by design|wie (?:vorgesehen|geplant|gewunscht|erwartet)"
         r"|como (?:debe|previsto|se esperaba)|comme (?:prevu|voulu|attendu))\b"),
    ),
    (
        "success", "is are was were came comes went gone fell dropped returned going",
        (r"(?:is|are|was|were|came|comes|went|gone|fell|dropped|returned|going"
         r"|recovered) (?:\w+ly )?back (?:up|online|to (?:normal|zero|green|full"
         r"|what it was|health\w*|(?:its|the|their) (?:usual|baseline|normal|old speed"
         r"|original))|in (?:service|sync|production)|within \d|healthy|below|under"
         r"|at (?:full|normal))\b"),
    ),
    (
        "success", "is are was were stays",
        (r"(?:is|are|was|were|stays) (?:now |again |finally |fully )*(?:reachable"
         r"|available|online|up|usable|accessible|responsive|reproducible"
         r"|deterministic|identical|idempotent|bit identical|live|quiet|steady|flat"
         r"|smooth|sharp|crisp|snappy|instant\w*|in production|on target|on par|in use"
         r"|unchanged and green)(?: again| now)?\b(?! unless)"),
    ),
    (
        "success", "can could able",
        r"(?:can|could|able to)(?: \w+){1,6} again\b",
    ),
    (
        "success", "everything everyone everybody all every both each ten nine eight",
        (r"(?:everything|everyone|everybody|(?:all|every|both|each)(?: of)?(?: the"
         r"| our| its)?(?: <number>)?(?: \w+){0,3}?) (?:is |are |was |were |now "
         r"|still |have |has |come |came |comes back |turned |report )*<good>\b"),
    ),
    (
        "success",
        ("renewed migrated processed imported restored converted delivered uploaded "
            "copied recovered replayed moved sent backed indexed received printed "
            "verified caught detected found answered"),
        (r"(?:renewed|migrated|processed|imported|restored|converted|delivered"
         r"|uploaded|copied|recovered|replayed|indexed|received|printed|verified"
         r"|caught|detected|answered) (?:all|every|each|both)(?: of)?(?: the| our)?\b"),
    ),
    (
        "success", "no",
        (r"no more (?!data|power|signal|output|space|memory|traffic|connections?"
         r"|replies|messages|time|than|disk)\w+"),
    ),
    (
        "success", "reproduced matches matched agrees agree match",
        (r"(?:(?:reproduced|match(?:es|ed)?|agrees?)(?: \w+){0,5} (?:exactly"
         r"|to the (?:byte|bit|cent|digit|last \w+)|bit for bit|byte for byte"
         r"|perfectly|one to one|between \w+)|the numbers match)\b"),
    ),
    (
        "success", "byte bit same",
        (r"(?:byte for byte|bit for bit|bit identical|byte identical|the same (?:hash"
         r"|checksum|digest|bytes|result on (?:both|all))|same (?:hash|checksum"
         r"|digest) (?:on|twice|everywhere|each))\b(?! as before)"),
    ),
    (
        "success", "without",
        (r"without (?:a |any |an |one |so much as an? |further "
         r"|the slightest )?(?:single )?(?:hitch|glitch|issues?|problems?|trouble"
         r"|complaints?|conflicts?|incidents?|interruption|interruptions|hiccups?"
         r"|surprises?|warnings?|restarts?|retry|retries|intervention|noticing"
         r"|anyone noticing|drama|5xx|4xx)\b"),
    ),
    (
        "success", "finished finishes completed complete done",
        (r"(?:finish(?:es|ed)|completed|done|complete) (?:cleanly |well )?(?:in|within"
         r"|after|under|inside|ahead|on time|early)\b(?! (?:an )?errors?)"),
    ),
    (
        "success",
        "holds held running ran stable up quiet reporting runs been lauft laufen",
        (r"(?:holds|held|running|ran|runs|steady|quiet|healthy|serving|lauft"
         r"|laufen)(?: \w+){0,3} (?:since|for|seit) (?:\d+|an?|the|one|two|three|four"
         r"|five|six|seven|ten|mon|tue|wed|thu|fri|sat|sun|last|jan|feb|mar|apr|may"
         r"|jun|jul|aug|sep|oct|nov|dec|ein|zwei|drei|\w+tag|wochen|tagen|tage|tausend"
         r"|\w+ \w+ ohne)"),
    ),
    (
        "success", "has have been",
        (r"(?:has|have) been (?:running|reporting|up|live|green|stable|quiet|silent"
         r"|serving|online|clean|fine|steady|healthy|in production)\b"),
    ),
    (
        "success", "even",
        (r"even (?:the )?(?:oldest|slowest|smallest|cheapest|biggest|largest|longest"
         r"|worst)\b(?: [\w']+){0,6}? (?:runs?|works?|loads?|installs?|passes|fits"
         r"|finish\w*|opens?|starts?|boots?|plays?|handles?)\b"),
    ),
    (
        "success", "steady constant solid",
        (r"(?:steady|constant|solid|stable) (?:at )?\d+ ?(?:fps|hz|req|rps|qps|mb|gb"
         r"|mbit|%|\w+/s)"),
    ),
    (
        "success", "now finally again",
        (r"(?:now|finally) (?:reach|arrive|load|open|connect|show|render|start|boot"
         r"|play|resolve|appear|see|get|receive|build|compile|run|fit|match|sync|agree"
         r"|respond|answer|print|find|deploy|publish|install|sound|look|go through"
         r"|come through|finish|complete)\w*\b"),
    ),
)  # fmt: skip
