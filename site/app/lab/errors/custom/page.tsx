import { connection } from 'waymark/server'

export default async function Thrown(): Promise<never> {
  await connection()
  throw new Error('The page beside an error file threw.')
}
