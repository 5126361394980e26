/** Names of the users who have each flag. */
export type Rules = Readonly<Record<string, readonly string[]>>

/** True for each flag that a user has. */
export type Flags = Readonly<Record<string, boolean>>

/** Path of the endpoint, below the app's base path. */
export const flagsPath = '/_waymark/flags'

/** @param user `undefined` for a visitor without a name, who has no flags */
export function flagsOf(rules: Rules, user: string | undefined): Flags {
  return Object.fromEntries(
    Object.entries(rules).map(([flag, users]) => [
      flag,
      user !== undefined && users.includes(user),
    ]),
  )
}
