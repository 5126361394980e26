export default function Home() {
  return (
    <main className="mx-auto max-w-prose p-8">
      <h1 className="text-4xl font-semibold tracking-tight">Tailwind</h1>
      <p className="mt-4 text-lg text-slate-600">
        The style sheet contains only the classes that your files use.
      </p>
    </main>
  )
}
