// Variables that Vitest sets in its workers. An app must not see these variables.
const testRunnerNames = /^(VITEST|TEST$|NODE_ENV$|MODE$|DEV$|PROD$|SSR$|BASE_URL$|PORT$|HOST$)/

/**
 * Returns the environment for the build and the server of an app: the environment of the tests
 * without the test runner's variables.
 * @param added additional variables for the app
 */
export function appEnv(added: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !testRunnerNames.test(name))
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', ...added }
}
