"""What authors call examples of how a story is accepted, in many languages."""

ACCEPTANCE_SCENARIO = (
    r"acceptance scenarios?|scénarios? (?:d['’]acceptation|de recette)|escenarios? de aceptación|cenários? de aceit(?:a[çc]ão|e)|"
    r"scenari(?:o)? di accettazione|scenariusze? akceptacyjn[ey]|сценари[ий] при[её]мки|при[её]мочные сценарии|"
    r"сценарі[ії] (?:приймання|прийняття)|(?:akzeptanz|abnahme)szenari(?:en|um|o)|acceptatiescenario['’]?s?|"
    r"acceptansscenarie?(?:r|n)?|kabul senaryo(?:ları|su)|skenario penerimaan|kịch bản chấp nhận|qabul (?:ssenariylari|mezonlari)|"
    r"criterii de acceptare|(?:受け?入れ?|検収)(?:シナリオ|テスト)|検収(?:基準|条件)|验收(?:场景|情景)|接受(?:标准|標準|條件|条件)|"
    r"(?:수용|인수|수락|승인) ?(?:기준|조건|시나리오|테스트)"
)
