import { connection } from 'waymark/server'

export default async function ThrowingLayout(): Promise<never> {
  await connection()
  throw new Error('The layout threw.')
}
