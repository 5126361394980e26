export default function Home() {
  return (
    <main>
      <h1>Hello from a function</h1>
      <p>{`Rendered at build: ${new Date().toISOString()}`}</p>
    </main>
  )
}
