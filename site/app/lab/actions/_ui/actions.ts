'use server'

import { notFound, redirect } from 'waymark'
import { addToList } from './list.ts'
import { pause } from './pause.ts'

/** Adds an entry to the visitor's list. */
export async function addItem(fields: FormData): Promise<void> {
  await pause(1200)
  await addToList(String(fields.get('text')).trim().slice(0, 40))
}

/** Takes six seconds and returns the time at the end. */
export async function takeTime(): Promise<string> {
  await pause(6000)
  return `Done at ${new Date().toISOString().slice(11, 19)} UTC.`
}

export async function count(total: number): Promise<number> {
  await pause(500)
  return total + 1
}

export async function leave(fields: FormData): Promise<void> {
  await pause(300)
  switch (fields.get('to')) {
    case 'redirect':
      return redirect('/lab/actions/beside')
    case 'not-found':
      return notFound()
    default:
      throw new Error('Thrown on purpose by the lab.')
  }
}
