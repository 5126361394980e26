/** The functions from Vitest, Jest or Bun that the driver test suites need. */
export type TestRunner = {
  test(name: string, run: () => Promise<void>): unknown
  expect(actual: unknown): Matchers & { readonly not: Pick<Matchers, 'toBeNull'> }
}

type Matchers = {
  toBe(expected: unknown): unknown
  toBeNull(): unknown
  toEqual(expected: unknown): unknown
  toHaveLength(expected: number): unknown
  toMatch(expected: RegExp): unknown
  toMatchObject(expected: object): unknown
}

/** A test in a driver test suite. */
export type DriverTest<Driver> = (
  name: string,
  run: (driver: Driver, expect: TestRunner['expect']) => Promise<void>,
) => void

/**
 * Creates the function that defines the tests of a suite. @param create returns an empty driver
 * that is closed after the test
 */
export function createDriverTest<Driver extends { close(): Promise<void> }>(
  create: () => Driver | Promise<Driver>,
  { test, expect }: TestRunner,
): DriverTest<Driver> {
  return (name, run) =>
    test(name, async () => {
      const driver = await create()
      await run(driver, expect)
      await driver.close()
    })
}
