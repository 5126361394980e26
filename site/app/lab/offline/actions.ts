'use server'

import { idempotencyKey } from 'waymark/server'
import { storeWord, wordsOf } from './words.ts'

const isVisitor = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)

/** Stores the typed word. @returns the number of words that the form has sent */
export async function addWord(sent: number, fields: FormData): Promise<number> {
  const visitor = fields.get('visitor')
  const key = idempotencyKey()
  const word = String(fields.get('word') ?? '')
  if (isVisitor(visitor) && key !== null && word.trim() !== '') storeWord(visitor, key, word)
  return sent + 1
}

/** Returns the stored words of a visitor. */
export async function readWords(visitor: string): Promise<readonly string[]> {
  return isVisitor(visitor) ? wordsOf(visitor) : []
}
