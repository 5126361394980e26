import type { ReactNode } from 'react'
import { Counter } from './counter'

export default function Home() {
  return (
    <>
      <h1 className="text-4xl font-bold tracking-tight text-balance sm:text-5xl">
        Your app is running
      </h1>
      <p className="mt-4 text-[1.1875rem] text-pretty text-soft">
        This page is <Code>app/page.tsx</Code>. Edit and save it to see the change here.
      </p>
      <ul className="mt-12 ml-1.5">
        <Stage title="Add a page">
          <p>
            Each folder is a part of the URL: <Code>app/about/page.tsx</Code> is the page at{' '}
            <Code>/about</Code>.
          </p>
        </Stage>
        <Stage title="Load data">
          <p>
            Pages run on the server. Make a page <Code>async</Code>, and <Code>await</Code> its
            data.
          </p>
        </Stage>
        <Stage title="Make it interactive">
          <p>
            <Code>app/counter.tsx</Code> begins with <Code>'use client'</Code>, so it also runs in
            the browser.
          </p>
          <Counter />
        </Stage>
        <Stage title="Build and serve">
          <p>
            Run <Code>npm run build</Code>, then <Code>npm start</Code>.
          </p>
        </Stage>
      </ul>
    </>
  )
}

// A step in the list, with a mark next to its title.
function Stage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="relative border-l-2 border-dotted border-rule pb-9 pl-9 text-pretty text-soft last:border-transparent last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-0 -left-[7px] h-5 w-3 rounded-xs bg-accent ring-6 ring-paper"
      />
      <h2 className="mb-1.5 leading-tight font-bold text-ink">{title}</h2>
      {children}
    </li>
  )
}

function Code({ children }: { children: ReactNode }) {
  return <code className="text-[0.9em] text-ink">{children}</code>
}
