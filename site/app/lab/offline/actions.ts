'use server'

import { idempotencyKey } from 'waymark/server'
import { storeWord, wordsOf } from './words.ts'

const isVisitor = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)

/** Stores the word that was typed. @returns how many the form has sent */
export async function addWord(sent: number, fields: FormData): Promise<number> {
  const visitor = fields.get('visitor')
  const key = idempotencyKey()
  const word = String(fields.get('word') ?? '')
  if (isVisitor(visitor) && key !== null && word.trim() !== '') storeWord(visitor, key, word)
  return sent + 1
}

/** What the server has of a visitor. */
export async function readWords(visitor: string): Promise<readonly string[]> {
  return isVisitor(visitor) ? wordsOf(visitor) : []
}
