import { Counter } from './counter.tsx'

export default async function Home() {
  return (
    <main>
      <h1>Waymark</h1>
      <Counter />
    </main>
  )
}
