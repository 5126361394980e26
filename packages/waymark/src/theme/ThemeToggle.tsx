import type { ComponentProps, ReactNode } from 'react'
import { themeIcon } from './icons.tsx'
import { nextPreference, type Preference } from './preference.ts'
import { defaultCycle } from './styles.ts'
import { toggleAttribute, toggleStateAttribute, toggleStyle } from './toggle.ts'

/**
 * Props of `ThemeToggle`. With a Content-Security-Policy, a `cycle` of its own needs the document's
 * `nonce`, which goes to its style sheet; all others go to its `<button>`.
 */
export type ThemeToggleProps = Omit<ComponentProps<'button'>, 'children' | 'type'> & {
  /** The preferences it goes through, in this order; names of themes, or `system`. */
  cycle?: readonly Preference[]
  /** What each preference is called, in the page's language. */
  names?: Readonly<Record<string, string>>
  /** The button's name: the state, and what a press leads to. */
  label?: (state: string, next: string) => string
}

const defaultLabel = (state: string, next: string) => `Theme: ${state}. Switch to ${next}.`

/**
 * A button that goes from light to dark to system. It has no state and is not hydrated: a style
 * sheet chooses the icon and the name, and one listener of the framework serves all toggles.
 */
export function ThemeToggle(props: ThemeToggleProps): ReactNode {
  const { cycle: asked = defaultCycle, names = {}, label = defaultLabel, nonce, ...rest } = props
  const cycle = asked.filter(isSafeName)
  const nameOf = (preference: Preference) => names[preference] ?? preference
  return (
    <>
      <ToggleStyle cycle={cycle} nonce={nonce} />
      <button {...rest} type="button" {...{ [toggleAttribute]: cycle.join(' ') }}>
        {cycle.map((state) => (
          <span key={state} {...{ [toggleStateAttribute]: state }}>
            {themeIcon(state)}
            <b>{label(nameOf(state), nameOf(nextPreference(state, cycle)))}</b>
          </span>
        ))}
        <span {...{ [toggleStateAttribute]: '' }}>
          {themeIcon('')}
          <b>{label(names.other ?? 'other', nameOf(cycle[0] ?? 'system'))}</b>
        </span>
      </button>
    </>
  )
}

// A style sheet that React puts together from several has no nonce of its own; nor do two sheets
// of one precedence keep their hashes.
function ToggleStyle({
  cycle,
  nonce,
}: {
  cycle: readonly Preference[]
  nonce: string | undefined
}) {
  const name = `waymark-theme-toggle-${cycle.join('-')}`
  const placed = nonce === undefined ? { href: name, precedence: name } : { nonce }
  return <style {...placed}>{toggleStyle(cycle)}</style>
}

// The names go into a style sheet's selectors.
function isSafeName(name: string): boolean {
  return /^[\w-]+$/.test(name)
}
