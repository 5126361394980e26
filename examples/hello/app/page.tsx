import { connection } from 'waymark/server'
import { Counter } from './counter.tsx'

export default async function Home() {
  await connection()
  return (
    <main>
      <h1>Hello</h1>
      <p>The server rendered this at {new Date().toLocaleTimeString('en')}.</p>
      <Counter />
    </main>
  )
}
