import { connection } from 'waymark/server'

export default async function Thrown(): Promise<never> {
  await connection()
  throw new Error('The page next to an error file threw an error.')
}
