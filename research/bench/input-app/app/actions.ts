'use server'

import { action } from 'waymark/server'

/** Refuses its input, so that the values are returned. */
const strict = {
  '~standard': {
    version: 1 as const,
    vendor: 'bench',
    validate: (value: unknown) => ({
      issues: Object.keys(value as object).map((key) => ({ message: 'Unknown', path: [key] })),
    }),
  },
}

export const save = action({ input: strict }, () => null)
