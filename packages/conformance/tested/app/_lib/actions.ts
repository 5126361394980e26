'use server'

import { cookies } from 'waymark/server'

export async function count(clicks: number): Promise<number> {
  return clicks + 10
}

/** Returns a different number each time it runs. */
export async function draw(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 200))
  return Math.random()
}

export async function remember(form: FormData): Promise<void> {
  const jar = await cookies()
  jar.set('note', String(form.get('note')))
}
