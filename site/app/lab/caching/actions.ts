'use server'

import { updateTag } from 'waymark/server'
import { readingTag } from './readingTag.ts'

/** Ends what the page has kept, so that whoever asks next gets a new one. */
export async function endReading(): Promise<void> {
  await updateTag(readingTag)
}
