/** Names of users, by flag. */
export type Rules = Readonly<Record<string, readonly string[]>>

/** True for each flag that the user has. */
export type Flags = Readonly<Record<string, boolean>>

/** Below the app's base path. */
export const flagsPath = '/_waymark/flags'

/** @param user `undefined` for a visitor without a name, who has no flag */
export function flagsOf(rules: Rules, user: string | undefined): Flags {
  return Object.fromEntries(
    Object.entries(rules).map(([flag, users]) => [
      flag,
      user !== undefined && users.includes(user),
    ]),
  )
}
