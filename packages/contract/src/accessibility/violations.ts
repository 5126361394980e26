/** A rule that a page or screen breaks. */
export type Violation = {
  /** Id of the axe rule, such as `button-name`. */
  readonly rule: string
  /** The rule in words: `Buttons must have discernible text` */
  readonly help: string
  /** CSS selectors of the elements that break the rule. */
  readonly selectors: readonly string[]
}

/** The violations of a page or screen, for the report. */
export type AccessibilityDetail = Violation & {
  /** Such as `/board` or `error screen of /board`. */
  readonly place: string
}

export const noViolations = 'no violations'

/** Formats violations for the contract: `button-name (2), color-contrast (5)`. */
export function formatViolations(violations: readonly Violation[]): string {
  const items = violations.map(({ rule, selectors }) => `${rule} (${selectors.length})`)
  return items.length === 0 ? noViolations : items.sort().join(', ')
}

/** Joins the violations of the light and the dark colour scheme. */
export function mergeViolations(
  first: readonly Violation[],
  second: readonly Violation[],
): Violation[] {
  const merged = new Map(first.map((each) => [each.rule, each]))
  for (const { rule, help, selectors } of second) {
    const others = merged.get(rule)?.selectors ?? []
    merged.set(rule, { rule, help, selectors: [...new Set([...others, ...selectors])] })
  }
  return [...merged.values()]
}

const maxSelectors = 3

/**
 * Formats a violation for the report:
 * `/board: button-name, 2 elements: form > .quiet, #menu. Buttons must have discernible text.`
 */
export function formatDetail({ place, rule, help, selectors }: AccessibilityDetail): string {
  const count = selectors.length === 1 ? '1 element' : `${selectors.length} elements`
  const shown = selectors.slice(0, maxSelectors).join(', ')
  const more = selectors.length > maxSelectors ? ' and others' : ''
  return `${place}: ${rule}, ${count}: ${shown}${more}. ${help}.`
}
