/**
 * English labels of `ThemeToggle` and `ThemeSelect`. Both contain the same texts, so only translations
 * need this table.
 */
export const englishTheme = {
  select: { label: 'Theme', names: { system: 'System', light: 'Light', dark: 'Dark' } },
  toggle: {
    label: 'Theme: {state}. Switch to {next}.',
    /** The values of `{state}` and `{next}`. `other` is any theme that isn't in the toggle's cycle. */
    names: { system: 'system', light: 'light', dark: 'dark', other: 'other' },
  },
}
