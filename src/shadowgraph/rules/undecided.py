"""Constructions that leave the outcome open, or say nothing of it.

Rows for `constructions`, in the form that `failing` describes. "Cannot tell whether",
"too few users to conclude", "waiting for the lab report" are open; a clause of "whether",
a simulated outage and what used to happen are harmless.
"""

from typing import Final

ROWS: Final[tuple[tuple[str, str, str], ...]] = (
    (
        "open", "survey results numbers report answer data figures evaluation",
        (r"(?:survey|results?|numbers|report|data|figures|evaluation"
         r"|analysis)(?: \w+){0,2} (?:comes?|arrives?|due|expected|follows?|will come"
         r"|closes?|ends) (?:in |out )?(?:on|next|by|in|tomorrow|later)\b"),
    ),
    (
        "open", "some sometimes half",
        (r"(?:some(?:times)? (?:\w+ ){0,2}(?:faster|better|yes|up|passed|pass|fine"
         r"|improved|higher),? (?:and )?(?:some|others"
         r"|sometimes) (?:\w+ ){0,2}(?:slower|worse|no|down|failed|fail|not|dropped"
         r"|lower))"),
    ),
    (
        "harmless", "used formerly previously before",
        r"(?:used to(?: [\w'.-]+){1,6}|(?:formerly|previously) \w+(?: in| on| out)?)",
    ),
    (
        "open", "maybe perhaps possibly presumably",
        (r"(?:maybe|perhaps|possibly|presumably) (?:it|that|this|the \w+|just"
         r"|only) (?:\w+ )?(?:helped|worked|was|were|is|fixed|chance|noise|luck|made)\b"),
    ),
    (
        "open", "could cannot can",
        (r"(?:could(?:n't| not)|cannot|can't) (?:repeat|redo|finish|complete"
         r"|do) (?:the |our |any )?(?:measurements?|experiment|comparison|benchmark"
         r"|test runs?|survey)\b"),
    ),
    (
        "open", "numbers results timings figures scores times they",
        (r"(?:numbers|results|timings|figures|scores|times|they) (?:\w+ )?(?:swing"
         r"|jump|move|fluctuate|bounce|wander)(?: \w+| \d+ ?%){0,5} (?:between"
         r"|from run|across|by)\b"),
    ),
    (
        "open",
        ("cannot can could impossible hard difficult tough tricky too no unable not "
            "nobody nothing would don do did"),
        (r"(?:i |we |you |one |nobody |no one )?(?:cannot|can(?:'t| ?not)|could(?:n't"
         r"| not)|impossible to|hard to|difficult to|tough to|tricky to|too (?:early"
         r"|soon) to|no (?:\w+ )?way (?:of|to)|not possible to|unable to|not able to"
         r"|nothing to|would(?:n't| not)|do(?:n't| not)|did(?:n't| not)|nobody (?:can"
         r"|could)|no one (?:can|could)|not (?:safe|fair|sound) to)(?: really| yet"
         r"| reliably| safely| honestly| be able to| at this point| fully)? <tell>\b"),
    ),
    (
        "open", "nobody no we i don do does did not knows can is",
        (r"(?:nobody|no one|we|i|it)? ?(?:(?:do|does|did)(?:n't"
         r"| not) (?:yet )?know(?: yet)?|knows|not known|can say"
         r"|is not known) (?:whether|if|why|yet|for sure|for certain)|nobody knows"
         r"|no one knows"),
    ),
    (
        "open", "could might may",
        (r"(?:(?:might|may|could) (?:well |also |just |still )?(?:have (?:helped|fixed"
         r"|been|made|worked|improved|changed)|be (?:chance|noise|luck|the|a |an |just"
         r"|due|unrelated|coincidence|caused|because)))\b"),
    ),
    (
        "open", "sample samples evidence data numbers too far n=",
        (r"(?:(?:sample|evidence|data ?set|data|numbers?|effect|difference|period"
         r"|window|series|n)(?: of \d+ \w+| \w+){0,3} )?(?:far |much "
         r"|way )?too (?:small|thin|few|short|little|noisy|sparse|weak|early|soon"
         r"|scarce)(?: an?)?(?: \w+)? (?:to|for) (?:a |any |an )?(?:draw|conclu\w+"
         r"|tell|say|decid\w+|judg\w+|call|know|be sure|trust|statement|verdict"
         r"|decision|matter|rely|mean|be significant|firm)\w*"),
    ),
    (
        "open", "awaiting waiting pending wait",
        (r"(?:awaiting|waiting (?:for|on)|pending|on hold until"
         r"|wait for)(?: [\w'-]+){0,4} (?:reports?|results?|feedback|numbers|data"
         r"|confirmation|measurements?|verdict|lab|figures|outcome|evaluation)\b"),
    ),
    (
        "open", "need needs needed requires another more one two",
        (r"(?:needs?|requires?|would need|wants?) (?:[\w]+ ){0,3}?(?:more|another"
         r"|further|longer|additional|bigger|larger) (?:\w+ )?<more>|(?:another|more"
         r"|one more|further|two more) (?:\w+ )?<more> (?:is|are|to go|needed|required"
         r"|before)"),
    ),
    (
        "open", "no without not",
        (r"(?:no|without an?y?) (?:clear |firm |final |definite |reliable |meaningful "
         r"|obvious |visible )?(?:conclusions?|verdict|trend|signal either"
         r"|decision yet|result yet|answer yet|data yet|way to know|pattern)\b"
         r"|not (?:yet )?(?:statistically )?significant\b"
         r"|not (?:yet )?(?:been )?(?:reproduced|measured|verified|evaluated|decided"
         r"|conclusive)(?: yet| so far)?"),
    ),
    (
        "open", "p within smaller below inside",
        (r"(?:p ?(?:value)?(?: of|=| =| >|>)? ?0[.,][1-9]\d*"
         r"|(?:well )?(?:with)?in(?:side)? (?:the |our |normal |measurement "
         r"|run to run |statistical )*(?:noise|margins?|error bars?|spread|variance"
         r"|variation|jitter|fluctuation)|(?:smaller|less|below"
         r"|lower) (?:than )?(?:the )?(?:run to run )?(?:spread|noise|variance|margin"
         r"|error bars?))"),
    ),
    (
        "open", "results numbers figures runs scores measurements they seeds",
        (r"(?:results?|numbers|figures|runs|scores|measurements|readings|seeds"
         r"|benchmarks)(?: \w+){0,3} (?:vary|varied|varies|differ|contradict\w*"
         r"|disagree\w*|conflict(?! )|scatter|all over the place|too much to)\b"),
    ),
    (
        "open", "outcome result effect cause impact reason benefit",
        (r"(?:outcome|result|effect|impact|benefit|root cause|cause)s? (?:is |are "
         r"|was |still |as yet |yet |remains? )*(?:unknown|unclear|open|uncertain"
         r"|undecided|undetermined|inconclusive|pending|ambiguous|not (?:clear|known))"),
    ),
    (
        "open",
        "test tests experiment experiments measurement trial survey study benchmark",
        (r"(?:tests?|experiments?|measurements?|trials?|survey|study|benchmarks?|pilot"
         r"|soak|evaluation|rollout) (?:is|are) (?:still )?(?:running|ongoing"
         r"|in progress|under way|pending)\b"),
    ),
    (
        "open", "half",
        (r"half (?:of )?(?:the )?\w+(?: \w+){0,5},? (?:and "
         r"|the other )?half (?:did not|didn't|saw|say|said|not|against|worse|slower"
         r"|do not|don't)\b"),
    ),
    (
        "harmless", "whether ob",
        (r"(?:whether|ob)\b[^.;:!?\n,()]{0,60}?(?=[.;:!?\n,()]|$| (?:but|since|because"
         r"|as|and|yet)\b)"),
    ),
    (
        "harmless",
        ("test simulated injected forced deliberate artificial staged planned provoked "
            "synthetic fake mock"),
        (r"(?:test (?=outage|alarm|crash|incident|fire|alert)|simulated |injected "
         r"|forced |deliberate |artificial |staged |planned |provoked |synthetic "
         r"|fake |mock )(?:\w+ )?(?:outages?|crash(?:es)?|failures?|errors?|incidents?"
         r"|faults?|downtime|leaks?|alarms?|timeouts?|kills?|loss)"),
    ),
    (
        "harmless", "no not don need without",
        (r"(?:no need|not need|doesn't need|don't need|without having|not have"
         r"|don't have|doesn't have) to\b(?: \w+){0,3}"),
    ),
    (
        "harmless", "what how why when which",
        r"(?:what|how) (?:happens|to do|we do) (?:when|if|after|on)\b[^.;!?\n,]{0,50}",
    ),
)  # fmt: skip
