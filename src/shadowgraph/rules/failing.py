"""Constructions that say that something failed: what stays bad, comes back, is undone.

Rows for `constructions`: the list a match counts like, the words a match can begin with,
and the pattern, in which `<state>` and the like stand for the parts named there.
"""

from typing import Final

ROWS: Final[tuple[tuple[str, str, str], ...]] = (
    (
        "failure", "still",
        (r"still (?:\w+ly )?(?:underneath|behind|hidden|on top|wants?"
         r"|needs? (?!to be (?:seen|decided|measured)|more|another|review|test)"
         r"|executes?|gets?|got|sees?|saw|says?|said|shows?|showed|reports?|returns?"
         r"|returned|takes?|took|asks?|throws?|prints?|complains?|leaks?|crash\w*"
         r"|drops?|flickers?|loses?|skips?|points?|sends?|hits?|requires?|fails?"
         r"|blocks?|jumps?|happen\w*|occur\w*|appear\w*|exists?|times? out|waits?"
         r"|closed|high|empty|wrong|there|present|visible|too|as \w+ as|at 100|over \d"
         r"|above \d|not|no (?!errors?|issues?|problems?|complaints?|failures?|crash"
         r"|trace of|sign of)|nothing|un(?!clear|known|decided|der)\w+|vulnerable"
         r"|exploitable|affected|the same|far from|short of|behind|falls?|misses"
         r"|ignores?|ignored|overheats?|hangs?|stutters?|eats?|burns?|does(?:n't| not)"
         r"|can(?:not|'t| not)|can be|won't|<state>)"),
    ),
    (
        "failure", "same identical unchanged as",
        (r"(?:same (?:\w+ )?as (?:with(?:out)?|before|ever|the old|last|in the old)"
         r"|as (?:bad|slow|flaky|unreliable|broken) as)"),
    ),
    (
        "failure", "slow bad flaky broken red unreliable buggy high noisy unstable",
        (r"(?:slow|bad|flaky|broken|red|unreliable|buggy|high|noisy"
         r"|unstable) as (?:before|ever|always)\b"),
    ),
    (
        "failure", "no",
        (r"no (?:signal|output|picture|image|sound|data|reply|connection|power"
         r"|internet|traffic|heartbeat|ping|network|video|audio|mail"
         r"|response)(?: (?:at all|in the|on the|on|from|for|after|when|until"
         r"|any ?more|whatsoever|anywhere)\b|<end>)"),
    ),
    (
        "failure", "exploit exploits attack attacks attacker payload injection bypass",
        (r"(?:exploits?|attacks?|attackers?|payloads?|injection"
         r"|bypass)(?: \w+){0,3} (?:(?:still|also) (?:works?|executes?|succeeds?"
         r"|goes through|gets through|possible|lands)|went through|got through"
         r"|succeeds|succeeded)\b"),
    ),
    (
        "failure", "came comes back returned is",
        (r"(?:came|comes|is|was) (?:right )?back (?=<time>)(?!up|on|to|in sync"
         r"|in service|online|healthy|within \d|after \d+ (?:s|sec|ms)|in \d)"),
    ),
    (
        "failure", "reappear resurfac recur relaps",
        r"(?:re ?appear(?:s|ed)|resurfac(?:es|ed)|recur(?:s|red)|relaps(?:es|ed))\b",
    ),
    (
        "failure", "keep keeps kept",
        r"(?:keeps?|kept) (?:on )?<looping>\b",
    ),
    (
        "failure",
        ("restart reboot reset drop disconnect reconnect dies log logged kick kicked "
            "reload* stops freez* trips tripped stall* goes cuts skips jump* blink*"),
        (r"(?:restart|reboot|reset|drop|disconnect|reconnect|die|log|kick|reload|stop"
         r"|freez|trip|stall|goe|cut|skip|jump|blink)\w*(?: [\w']+){0,4} (?:every"
         r"|after every|once an?|several times an?|twice an?) (?:few|\d+|other|couple"
         r"|second|minute|hour|day|night|time|third|morning|ten|five|thirty|single)"),
    ),
    (
        "failure", "in en neu redemarre",
        (r"(?:in (?:a|an endless|an infinite|einer) (?:\w+ )?(?:loop"
         r"|(?:endlos)?schleife)|en (?:bucle|boucle)"
         r"|neu(?:start)?(?:et)? (?:sich )?standig|redemarre (?:sans (?:arret|cesse"
         r"|fin)))\b"),
    ),
    (
        "fall", "down",
        (r"down(?= (?:to |from )?\d| (?:by )?(?:an? |another |some )?(?:\d|third|half"
         r"|quarter|few))"),
    ),
    (
        "rise", "up",
        (r"up(?= (?:to |from )?\d| (?:by )?(?:an? |another |some )?(?:\d|third|half"
         r"|quarter|few))"),
    ),
    (
        "failure", "had have has needed",
        r"(?:had|have|has|needed) to (?:be )?(?:\w+ly )?<undone>\b",
    ),
    (
        "failure",
        ("rolled roll rolling backed took taken take pulled switched turned flipped "
            "put swapped moved changed yanked"),
        (r"(?:roll(?:ed|ing)?|backed|took|taken?|pulled|switched|turned|flipped|put"
         r"|swapped|moved|changed|yanked) (?:it|that|this|them|everything|(?:the"
         r"|our) (?!load|traffic)\w+(?: \w+)?) (?:all )?(?:(?:back|out|off) again"
         r"|back(?! up| on)\b|out\b(?! of the (?:loop|path|hot))|off<end>"
         r"|from the)(?<!rolled it out)(?<!rolled them out)"),
    ),
    (
        "failure", "back in",
        (r"(?:back (?:on|to|at|with) (?:the )?(?:old|previous|former|square one|manual"
         r"|\d\.|v\d|version)|(?:is|are) in place again|in place again)\b"),
    ),
    (
        "failure",
        ("stopped stops halted ended died bailed aborts ends quit quits gives gave sat "
            "sits hung"),
        (r"(?:stopped|stops|halted|ended|died|dies|bailed(?: out)?|quits?|sat|sits"
         r"|hung|gives up|ends|gave up) (?:(?:at|after|in|on|with|just) (?:\W?\d|step"
         r"|(?:\w+\.py|manage|make|npm|check|boot|phase|stage|line|row)|the (?:first"
         r"|second|third|last|\w+ (?:step|key|stage))|row|line|an? (?:error|stack"
         r"|traceback)|boot|start|half|about|around|(?:its )?(?:first|second))|short"
         r"|half ?way|mid ?way|dead\b|in the middle|before (?:the end|reaching|it)"
         r"|at [^\w ])"),
    ),
    (
        "failure", "left leaves leaving",
        (r"(?:left|leaves|leaving) (?:\w+ ){0,5}?(?:locked|half|empty|broken"
         r"|inconsistent|dirty|behind|orphan\w*|dangling|without|unusable|corrupt\w*"
         r"|stuck|hanging|in an? (?:bad|broken|half|unknown|inconsistent|weird)|blank"
         r"|dead|unbootable)"),
    ),
    (
        "failure",
        ("is are was were stays stay stayed remains remain remained goes go went "
            "turned turns comes came gets got been becomes became sits looks feels sounds "
            "stand stands"),
        (r"(?:is|are|was|were|stay(?:s|ed)?|remain(?:s|ed)?|goes|go|went|turned|turns"
         r"|comes? up|came up|comes out|came out|gets?|got|been|becomes?|became|sits"
         r"|looks?|feels?|sounds?|stands?)(?: \w+ly| now| completely| still| all| just"
         r"| half| always| often| sometimes)? <state>(?!\w)"),
    ),
    (
        "failure", "nobody no none not",
        (r"(?:nobody|no one|no (?:user|customer|client|device|node|request|message"
         r"|packet|mail)s?|none of (?:\w+ ){0,3}?\w+|not (?:one"
         r"|a single) \w+) (?:\w+ )?(?:can|could|was able to|is able to|got (?:in"
         r"|through|anything)|made it|arriv\w+|comes? (?:through|in|out|up)"
         r"|came (?:through|in|out|up)|gets? (?:through|in))\b(?! (?:say|tell|know"
         r"|judge|explain|see (?:a|any) diff))"),
    ),
    (
        "failure",
        ("does do did is are was can could will would has have doesn didn don isn wasn "
            "can won"),
        (r"(?:does|do|did|is|are|was|were|can|could|will|would|has|have|doesn|didn|don"
         r"|isn|wasn|can|won)(?:n't|'t| not)<end>"),
    ),
    (
        "failure", "does do did doesn don didn",
        (r"(?:does|do|did)(?:n't| not) (?:\w+ly )?(?:have|support|know|understand"
         r"|accept|allow|offer|provide|expose|contain|include|cover|apply|belong|fit"
         r"|exist|matter|pay|count|suffice|satisfy|meet|agree|cut it|do it|stick|last"
         r"|go (?:down|up|away|in|far|through)|add up|change|improve|move|bring|give"
         r"|produce|yield)\b"),
    ),
    (
        "failure",
        ("drops dies fails restarts reboots disconnects hangs resets trips shuts "
            "powers logs freezes stalls quits"),
        (r"(?:drops|dies|fails|restarts|reboots|disconnects|hangs up|resets|trips"
         r"|shuts (?:down|off)|powers off|logs off|freezes|stalls|quits) (?:after|when"
         r"|whenever|as soon as|every|on every|mid|during|under|right after|at random"
         r"|randomly|about|around)\b"),
    ),
    (
        "failure", "took brought knocked",
        (r"(?:took|brought|knocked) (?:the |our |half of |half |all "
         r"|both )*\w+(?: \w+)? (?:offline|down|with it|out)\b"),
    ),
    (
        "failure",
        ("battery data power signal files rows records messages sessions picture sound "
            "settings connection budget bookmarks history drafts"),
        (r"(?:battery|data|power|signal|files|rows|records|messages|sessions|picture"
         r"|sound|settings|connection|budget|bookmarks|history|drafts) (?:is |are "
         r"|was |were |all )*gone\b"),
    ),
    (
        "failure", "nobody no noone",
        (r"(?:nobody|no one) (?:is|was|were) (?!affected|harmed|hurt|blocked"
         r"|complaining|paged|woken)\w+ing\b"),
    ),
    (
        "failure", "only",
        (r"only (?:about |some )?(?:<number>|half|a few|a third|a quarter"
         r"|some) (?:out )?of\b|only (?:in|on|with|for|after|when|if) (?:some|one"
         r"|every (?:second|third|other)|half)\b"),
    ),
    (
        "failure", "half most some many several",
        (r"(?:half|most|some|many|several) of (?:the |our "
         r"|all )?\w+(?: \w+){0,2}? (?:show|carry|have|contain|come|came|return|still"
         r"|now|see|saw|got|get|never|did not|didn't|do not|don't|cannot|can't"
         r"|could not|no longer|are (?:gone|missing|wrong)|were (?:lost|missing|wrong"
         r"|gone)|lost|vanished)\b"),
    ),
    (
        "failure", "users customers clients people players readers tickets",
        (r"(?:users|customers|clients|people|players|readers|visitors)(?: (?!stop|no"
         r"|never|not|hard|happ)\w+){0,3} (?:complain\w*|(?:are |were |get |got "
         r"|being )(?:logged|locked|kicked|thrown|signed|charged|stuck)(?: out| off)?"
         r"|(?:see|saw|get|got|face|hit) (?:an? |the )?(?:white|blank|black|blue|empty"
         r"|old|stale|wrong|other|error|404|40\d|50\d)|lose|lost|cannot|can't"
         r"|could(?:n't| not)|can no longer|no longer (?:get|see|can)|had to)\b"),
    ),
    (
        "failure", "not   never cannot does  did  do  wo  no",
        (r"(?:not|n't|never|cannot|doesn't|didn't|don't|won't) (?:\w+ly )?(?:stop"
         r"|prevent|catch|block|cure|mitigate|hold up|survive|cope|get (?:any|past"
         r"|further|through|it|to)|make (?:it|any)|come (?:up|back up|on|online)"
         r"|go (?:through|away|past|beyond)|turn on|wake up|light up|show up)\b"
         r"|no longer (?:possible|able|get|gets|see|sees|receive\w*)"),
    ),
)  # fmt: skip
