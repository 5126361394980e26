/** The arguments of a message, and the forms of its plurals. */
export type MessageArguments = {
  /** `{name}` for values, and `<name>` for tags. */
  readonly names: ReadonlySet<string>
  readonly plurals: readonly PluralForms[]
}

export type PluralForms = {
  readonly name: string
  readonly type: Intl.PluralRuleType
  /** Names of categories such as `one`, and numbers such as `=0`. */
  readonly forms: readonly string[]
}

/**
 * Types of arguments in compiled messages: select, plural, ordinal, number, date, time.
 * @see icu-minify, `types.ts`
 */
const select = 1
const plural = 2
const ordinal = 3
const lastType = 6

/** Lists the arguments of a message that icu-minify has compiled. */
export function argumentsOf(compiled: unknown): MessageArguments {
  const names = new Set<string>()
  const plurals: PluralForms[] = []

  function visitAll(nodes: unknown): void {
    if (Array.isArray(nodes)) nodes.forEach(visit)
  }

  function visit(node: unknown): void {
    if (!Array.isArray(node)) return
    const [name, type, options] = node as [string, unknown, unknown]
    const isTyped = typeof type === 'number' && type > 0 && type <= lastType
    if (node.length > 1 && !isTyped) {
      names.add(`<${name}>`)
      node.slice(1).forEach(visit)
      return
    }
    names.add(`{${name}}`)
    if (type !== select && type !== plural && type !== ordinal) return
    const forms = options as Readonly<Record<string, unknown>>
    Object.values(forms).forEach(visitAll)
    if (type === select) return
    const rules = type === plural ? 'cardinal' : 'ordinal'
    plurals.push({ name, type: rules, forms: Object.keys(forms) })
  }

  visitAll(compiled)
  return { names, plurals }
}

/** Whole numbers below this one decide which plural forms a language needs. */
const highest = 1_000

/**
 * Lists the categories that a plural lacks, each with a number that has the category. French needs
 * no `many`, because it is only for millions.
 */
export function missingForms(
  { type, forms }: PluralForms,
  locale: string,
): readonly { readonly category: string; readonly number: number }[] {
  const missing = new Map<string, number>()
  for (const [number, category] of categoriesOf(locale, type)) {
    if (forms.includes(category) || forms.includes(`=${number}`)) continue
    if (!missing.has(category)) missing.set(category, number)
  }
  return [...missing].map(([category, number]) => ({ category, number }))
}

const known = new Map<string, readonly (readonly [number, string])[]>()

function categoriesOf(
  locale: string,
  type: Intl.PluralRuleType,
): readonly (readonly [number, string])[] {
  const key = `${locale} ${type}`
  const before = known.get(key)
  if (before) return before
  const rules = new Intl.PluralRules(locale, { type })
  const categories = Array.from({ length: highest }, (_, number) => {
    return [number, rules.select(number)] as const
  })
  known.set(key, categories)
  return categories
}
