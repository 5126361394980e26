/**
 * Rules for prose. Each phrase is one that readers of our documentation stumbled over, and that is nearly
 * always wrong. If a phrase is right in one place, add that place to `exceptions`, with the reason.
 *
 * @typedef {{ pattern: RegExp, advice: string }} Phrase
 */

/**
 * Maximum number of words in a sentence, because longer sentences have to be read twice. Code and
 * links count as one word.
 */
export const longestSentence = 38

/** @type {readonly Phrase[]} */
export const phrases = [
  {
    pattern: /^(?:What|Whether|Where|Who|Whose)\b(?!.*\?$)/,
    advice: 'start with the noun or the verb',
  },
  {
    pattern: /\b(?:that|those) of\b/i,
    advice: 'repeat the noun instead of "that of" or "those of"',
  },
  { pattern: /\b(?:is|are) none\b/i, advice: 'say "there is no …", or what it is' },
  { pattern: /\bso (?:many|long)\b(?! as| that)/i, advice: 'say how many, or how long' },
  { pattern: /\bof before\b/i, advice: 'say "previous" or "earlier"' },
  { pattern: /\b(?:goes|go|went) on\b/i, advice: 'say "continues"' },
  { pattern: /\ball the same\b/i, advice: 'say "still" or "anyway"' },
  { pattern: /\band (?:its|their) likes?\b/i, advice: 'say "and similar …"' },
  {
    pattern: /\bwhat (?:is|was|were|are) (?:asked|given|told|kept|shown|taken|known|found|said)\b/i,
    advice: 'name the thing',
  },
  { pattern: /\b(?:is|are|was|were) (?:told|asked|said)\b/i, advice: 'say who tells or asks whom' },
  {
    pattern: /\bstands? (?:in|at|beside|here|there|before|on|under)\b/i,
    advice: 'say "is in", "is next to"',
  },
  {
    pattern: /\bin turns\b|\bin vain\b|\bwithout ado\b|\bhitherto\b|\bthereof\b|\bby and by\b/i,
    advice: 'use plain words',
  },
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b)\w/i,
    advice: 'say "isn\'t a …", or name what it is',
  },
  { pattern: /\b(?:an)?other \w+ than\b/i, advice: 'say "a different … from"' },
  { pattern: /\b(?:is|are) there[.,:;]/i, advice: 'say "exists", "stays" or "has arrived"' },
  { pattern: /^Of [^,]*$/, advice: 'start with the noun' },
  { pattern: /\bno matter whether\b/i, advice: 'say "even if", or name both cases' },
  { pattern: /[:;] .*[:;] .*[:;] /, advice: 'split the chain of colons and semicolons' },
]

/**
 * Sentences that break a rule on purpose, each with its reason.
 * @type {readonly { path: string, text: string, reason: string }[]}
 */
export const exceptions = []
