// Vitest puts these into the environment of its workers; an app must not see them.
const testRunnerNames = /^(VITEST|TEST$|NODE_ENV$|MODE$|DEV$|PROD$|SSR$|BASE_URL$|PORT$|HOST$)/

/**
 * The environment for an app's build and server: that of the tests, less what the test runner
 * added to it.
 * @param added names that the app gets besides
 */
export function appEnv(added: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !testRunnerNames.test(name))
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', ...added }
}
