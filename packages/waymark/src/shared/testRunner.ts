/** The functions that the drivers' test suites need from Vitest, Jest or Bun. */
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
