"""Constructions of German, Spanish and French, of every kind.

Rows for `constructions`, in the form that `failing` describes; its own rows, and those of
`succeeding` and `undecided`, are English.
"""

from typing import Final

ROWS: Final[tuple[tuple[str, str, str], ...]] = (
    (
        "failure", "weiterhin immer nach noch",
        (r"(?:weiterhin|immer noch|noch immer|nach wie vor) (?!stabil|gut|grun|ok"
         r"|funktion|lauft (?!voll|uber|nicht)|erreichbar|schnell|fehlerfrei|unklar"
         r"|offen|korrekt|moglich|gultig|unter |im |in |so schnell)\w+"),
    ),
    (
        "failure", "toujours",
        (r"toujours (?!vert|stable|bon|fonction|pass|march|dispo|valide|en (?:test"
         r"|cours|place)|utilis|rapide|ok)\w+"),
    ),
    (
        "failure", "sigue siguen seguia continua",
        (r"(?:sigu[ei]\w*|seguia\w*|continuan?) (?:sin \w+|(?!funcion|estable|verde"
         r"|bien|pasando|en (?:prod|uso|verde|pie|curso|marcha)|activ"
         r"|igual de (?:rapid|bien)|sien|disponible|corriendo|abiert|valid)\w+)"),
    ),
    (
        "failure", "todavia aun",
        (r"(?:todavia|aun) (?:no (?!se sabe|esta claro|hay|sabemos|podemos)\w+"
         r"|falla\w*|tarda\w*|se (?:cuelga|cae|pierde)\w*)"),
    ),
    (
        "failure", "sin sans",
        (r"(?:sin (?:parar|cesar|respuesta|exito|remedio|senal|conexion)|sans (?:arret"
         r"|cesse|fin|reponse|succes|resultat|signal)|sin que (?:cambi|mejor)\w+)\b"),
    ),
    (
        "failure", "immer bleibt bleiben blieb",
        (r"immer wieder\b|(?:bleib(?:t|en)|blieb\w*)(?: [\w%]+){0,5} (?:stehen|hangen"
         r"|stecken|leer|dunkel|schwarz|rot|liegen|aus|gleich)\b"),
    ),
    (
        "failure", "hubo hay tuvimos tuve tocaba",
        (r"(?:hubo|hay|habia) que (?:cancel|revert|volver|deshac|reinici|abort|par"
         r"|deten|repet|restaur|quit|retir|desactiv|rehac|apag|borr|anul)\w*"
         r"|(?:tuvimos|tuve|tuvieron) que \w+"),
    ),
    (
        "failure", "il on nous a fallu",
        (r"(?:il a fallu|on a du|nous avons du|j'ai du|a du etre"
         r"|ont du etre) (?:\w+ )?\w+"),
    ),
    (
        "failure", "musste mussten",
        (r"muss?te\w*(?: [\w]+){0,6} (?:abgebrochen|zuruck\w*|ruckgangig|neu gestartet"
         r"|abgeschaltet|gestoppt|neustarten|abbrechen|entfernt|wieder\w*|deaktiviert)"),
    ),
    (
        "failure", "no",
        r"no (?:se )?\w+ nada\b",
    ),
    (
        "removal", "tritt treten trat taucht kommt",
        (r"(?:tritt|treten|trat|traten|taucht|tauchen|tauchte|kommt|kommen"
         r"|kam) (?:\w+ ){0,4}?nicht mehr"),
    ),
    (
        "removal", "ya",
        (r"ya no (?:se )?(?:aparec|produc|ocurr|suced|sale|salen|hay|exist|repit"
         r"|reproduc|ven|ve|muestr)\w*"),
    ),
    (
        "removal", "ne n",
        (r"n(?:e |')(?:se |s')?(?:\w+ )?(?:produit|reproduit|apparait|apparaissent"
         r"|affiche|survient|surviennent|revient|arrive|est)\w* (?:plus|jamais)"),
    ),
    (
        "success", "alle todas todos toutes tous",
        (r"(?:alle|todas|todos|toutes|tous)(?: las| los| les| unsere"
         r"| nos)?(?: <number>)?(?: \w+){0,3}? (?:sind |sont |estan |son |wurden "
         r"|ont ete |fueron |wieder |en |au )*<good>\b"),
    ),
    (
        "success", "las los les die",
        (r"(?:las|los|les|die) <number> \w+ (?:estan |son |sont |sind "
         r"|ont )*(?:<good>)\b"),
    ),
    (
        "success", "keine kein keinen keinerlei",
        (r"kein\w* (?!verbindung|antwort|daten|anmeldung|signal|strom|bild|ton|zugriff"
         r"|mails?|ausgabe|reaktion|netz|zeit|platz|speicher|treffer|ahnung"
         r"|lust)(?:\w+ ){1,3}mehr\b"),
    ),
    (
        "success", "plus ya",
        (r"(?:plus (?:aucun\w*|de|d') ?(?!son|image|connexion|reseau|reponse|signal"
         r"|place|memoire|donnees|temps|\d|la|l')\w+(?= (?:depuis|dans|en|sur|apres|a "
         r"|au |lors)|[.,;]|$)|ya no hay \w+|ya no se (?:producen?|pierden?|ven?"
         r"|repiten?|registran?|duplican?)\b)"),
    ),
    (
        "open",
        ("noch nicht lasst liess zu schwer ob unklar offen keine ungewiss mehr zeigt "
            "steht abwarten kann konnen reicht"),
        (r"(?:(?:noch |bisher |derzeit )*(?:nicht|kaum) (?:\w+ )?(?:absehbar|klar"
         r"|entschieden|eindeutig|sicher|belegbar|zu sagen|beurteil\w+|aussagekraftig"
         r"|abschatz\w+|feststellbar|messbar genug|zu beurteilen)|(?:lasst"
         r"|liess) sich (?:\w+ ){0,4}?nicht (?:\w+ )?(?:sagen|beurteilen|entscheiden"
         r"|feststellen|vergleichen|trennen|beantworten|ableiten|belegen)"
         r"|(?:noch )?zu (?:fruh|wenige?|klein|kurz|knapp|dunn)(?: \w+){0,3} (?:um"
         r"|fur)|(?:noch )?zu fruh|schwer zu (?:sagen|beurteilen)|(?:unklar|offen"
         r"|ungewiss|fraglich|unbekannt),? (?:ob|was|wie)|keine (?:klare |belastbare "
         r"|sichere )?(?:aussage|schlussfolgerung|schlusse|tendenz)|mehr (?:daten"
         r"|messungen|laufe|zeit) (?:notig|notwendig|erforderlich|abwarten)"
         r"|steht (?:noch )?aus|muss sich (?:noch )?zeigen|abwarten|noch offen"
         r"|(?:datenlage|stichprobe|daten) (?:\w+ )?(?:zu|reich\w+ nicht)|warten auf"
         r"|wissen (?:\w+ )?nicht, ob|weiss (?:\w+ )?nicht, ob)"),
    ),
    (
        "open",
        ("aun todavia demasiado muy no faltan falta sin pendiente a muestra resultados "
            "es imposible dificil"),
        (r"(?:(?:aun|todavia|demasiado|muy)(?: es)?(?: muy| demasiado)? (?:pronto"
         r"|temprano)|no (?:se )?(?:sabe(?:mos)?|podemos (?:saber|decir|concluir)"
         r"|(?:se )?puede (?:saber|decir|concluir|afirmar|juzgar|determinar"
         r"|comparar))(?: si| que| aun| todavia|\b)|faltan? (?:mas )?(?:datos"
         r"|mediciones|pruebas|muestras|tiempo)|sin conclusion\w*|no (?:esta"
         r"|queda)n? (?:\w+ )?claro|pendientes? de (?:resultados|confirmar|medir|los"
         r"|datos)|a la espera de|muestra (?:es )?(?:demasiado|muy) pequena"
         r"|resultados (?:contradictorios|mixtos|dispares|poco claros)|(?:imposible"
         r"|dificil) (?:de )?(?:decir|saber|concluir|juzgar|determinar|valorar)"
         r"|no hay (?:datos|muestras|pruebas) suficientes|no (?:hay|es) (?:conclus"
         r"|concluy)\w+)"),
    ),
    (
        "open",
        ("trop encore impossible on pas manque en reste resultats difficile "
            "echantillon rien sans il l"),
        (r"(?:(?:trop|encore trop) tot|impossible (?:de |a )?(?:dire|conclure|juger"
         r"|savoir|trancher|determiner|comparer)|on ne (?:sait|peut) (?:pas"
         r"|rien)(?: encore)?(?: dire| conclure| savoir| juger| trancher)?"
         r"|pas assez de (?:donnees|mesures|recul|temps|trafic)|manque de (?:donnees"
         r"|recul|mesures)|en attente d(?:e|es|'\w+) (?:resultats?|mesures?|donnees"
         r"|confirmation)|reste a (?:voir|confirmer|mesurer|prouver)"
         r"|resultats (?:contradictoires|mitiges|variables)|difficile (?:de "
         r"|a )(?:dire|conclure|juger|trancher)"
         r"|echantillon (?:est )?(?:\w+ )?trop (?:petit|faible|reduit)"
         r"|rien de concluant|pas (?:encore )?(?:clair|tranche|certain|concluant"
         r"|significatif)|sans conclusion)"),
    ),
)  # fmt: skip
