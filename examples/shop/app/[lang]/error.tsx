'use client'

import type { ErrorScreenProps } from 'waymark/client'
import { useParams } from 'waymark/client'

// Keep these texts out of the dictionaries, because each page sends this file to the browser.
const texts = {
  en: {
    title: 'Something went wrong',
    text: 'This is our fault. If you contact us, please mention',
    retry: 'Try again',
  },
  de: {
    title: 'Da ist etwas schiefgegangen',
    text: 'Das liegt an uns. Wenn du uns schreibst, nenne bitte',
    retry: 'Noch einmal',
  },
}

export default function ErrorScreen({ error, retry }: ErrorScreenProps) {
  const { title, text, retry: again } = useParams().lang === 'de' ? texts.de : texts.en
  return (
    <div className="narrow screen">
      <h1>{title}</h1>
      <p className="lead">
        {text} <code>{error.digest}</code>.
      </p>
      <button type="button" className="button" onClick={retry}>
        {again}
      </button>
    </div>
  )
}
