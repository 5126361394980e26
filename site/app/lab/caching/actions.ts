'use server'

import { updateTag } from 'waymark/server'
import { readingTag } from './readingTag.ts'

/** Invalidates the cached reading, so that the next request computes a new one. */
export async function endReading(): Promise<void> {
  await updateTag(readingTag)
}
