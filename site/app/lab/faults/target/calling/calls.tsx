'use client'

import { type ReactNode, useActionState, useState } from 'react'
import { ActionError } from 'waymark/client'
import { repeatWord, tellTime } from './actions.ts'

/** A form, and a button whose code awaits the call to the action. */
export function Calls(): ReactNode {
  const [word, send] = useActionState(repeatWord, '')
  const [outcome, setOutcome] = useState('Nothing yet.')
  async function ask() {
    setOutcome('Waiting…')
    try {
      setOutcome(await tellTime())
    } catch (error) {
      setOutcome(error instanceof ActionError ? `Failed: ${error.code}` : 'Failed')
    }
  }
  return (
    <div className="stage">
      <form action={send} data-waymark-keep="">
        <label className="field">
          <span>A word</span>
          <input type="text" name="word" autoComplete="off" required />
        </label>
        <p className="controls">
          <button type="submit" className="button">
            Send the word
          </button>
          <output>{word && `The server has received: ${word}`}</output>
        </p>
      </form>
      <p className="controls">
        <button type="button" className="button" onClick={ask}>
          Ask for the time
        </button>
        <output aria-label="Time of the server">{outcome}</output>
      </p>
    </div>
  )
}
