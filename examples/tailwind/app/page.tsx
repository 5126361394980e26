export default function Home() {
  return (
    <main className="mx-auto max-w-prose p-8">
      <h1 className="text-4xl font-semibold tracking-tight">Tailwind</h1>
      <p className="mt-4 text-lg text-slate-600">
        Only the classes that stand in a file of the app are in its style sheet.
      </p>
    </main>
  )
}
