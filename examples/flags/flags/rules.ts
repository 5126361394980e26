/** For each flag, the names of the users who have it. */
export type Rules = Readonly<Record<string, readonly string[]>>

/** For each flag, true if the user has it. */
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
