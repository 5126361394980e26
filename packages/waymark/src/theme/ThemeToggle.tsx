import type { ComponentProps, ReactNode } from 'react'
import { type ColorScheme, nextPreference, type Preference, toggleAttribute } from './config.ts'
import {
  defaultCycle,
  systemSchemeAttribute,
  toggleStateAttribute,
  toggleStyle,
} from './themeStyles.ts'

/**
 * Props of `ThemeToggle`. Other props go to its `<button>`. With a custom `cycle`, also pass the
 * document's `nonce`.
 */
export type ThemeToggleProps = Omit<ComponentProps<'button'>, 'children' | 'type'> & {
  /**
   * The toggle's preferences, in order: theme names or `system`. Of `light` and `dark`, the one that
   * the system shows comes last before `system`.
   */
  cycle?: readonly Preference[]
  /** Labels for the preferences, in the page's language. */
  names?: Readonly<Record<string, string>>
  /** Builds the button's accessible name from the current state and the next one. */
  label?: (state: string, next: string) => string
}

const defaultLabel = (state: string, next: string) => `Theme: ${state}. Switch to ${next}.`

/**
 * Button that cycles through light, dark and system, starting with the theme that the system doesn't
 * show. It works before hydration, because a script in the document handles the clicks on all
 * toggles.
 */
export function ThemeToggle(props: ThemeToggleProps): ReactNode {
  const { cycle: wanted = defaultCycle, names = {}, label = defaultLabel, nonce, ...rest } = props
  const cycle = wanted.filter(isSafeName)
  const nameOf = (preference: Preference) => names[preference] ?? preference
  const labelsOf = (state: Preference) =>
    schemes.map((system) => ({
      system,
      text: label(nameOf(state), nameOf(nextPreference(state, cycle, system))),
    }))
  return (
    <>
      <ToggleStyle cycle={cycle} nonce={nonce} />
      <button {...rest} type="button" {...{ [toggleAttribute]: cycle.join(' ') }}>
        {cycle.map((state) => (
          <span key={state} {...{ [toggleStateAttribute]: state }}>
            {themeIcon(state)}
            <Label texts={labelsOf(state)} />
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

const schemes: readonly ColorScheme[] = ['light', 'dark']

type LabelText = { readonly system: ColorScheme; readonly text: string }

/** The next theme may depend on the system's colour scheme. CSS shows the label for the current one. */
function Label({ texts }: { texts: readonly LabelText[] }): ReactNode {
  if (texts.every(({ text }) => text === texts[0]?.text)) return <b>{texts[0]?.text}</b>
  return texts.map(({ system, text }) => (
    <b key={system} {...{ [systemSchemeAttribute]: system }}>
      {text}
    </b>
  ))
}

// React merges stylesheets with the same precedence and would drop the nonce, so render a plain
// <style> if there is one.
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

function isSafeName(name: string): boolean {
  return /^[\w-]+$/.test(name)
}

/**
 * Icon for a preference: a sun, a moon, a half-filled disc for `system`, or a drop of paint for any
 * other theme.
 */
function themeIcon(preference: string): ReactNode {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={drawings[preference] ?? 'M12 3s6 6.6 6 11a6 6 0 0 1-12 0c0-4.4 6-11 6-11Z'} />
      {preference === 'system' && <path d="M12 3.5a8.5 8.5 0 0 1 0 17Z" fill="currentColor" />}
    </svg>
  )
}

const drawings: Readonly<Record<string, string>> = {
  light:
    'M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 2v2M12 20v2M2 12h2M20 12h2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  dark: 'M20.5 14.2A8.7 8.7 0 1 1 9.8 3.5a7 7 0 0 0 10.7 10.7Z',
  system: 'M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0',
}
