import type { OfflineTexts } from '../shared/texts.ts'

export const de: OfflineTexts = {
  page: {
    asOf: 'Stand: {time}. Keine Verbindung.',
    title: 'Keine Verbindung',
    heading: 'Sie sind offline',
    sentence: 'Diese Seite öffnet sich, sobald Sie wieder online sind.',
    savedPages: 'Diese Seiten können Sie trotzdem öffnen:',
    savedAsOf: 'Stand: {time}',
  },
  outbox: {
    saved:
      'Sie sind offline. Ihre Eingaben sind in Ihrem Browser gespeichert und werden gesendet, sobald Sie wieder online sind.',
    savedMany:
      'Sie sind offline. {count} Einträge sind in Ihrem Browser gespeichert und werden gesendet, sobald Sie wieder online sind.',
    savedRefused:
      'Der Server hat das noch nicht angenommen. Ihre Eingaben sind in Ihrem Browser gespeichert und werden noch einmal gesendet.',
    unsent: '„{label}“ konnte nicht gesendet werden: {message}',
    tooLargeToSave:
      'Das ist zu groß, um es für später zu speichern. Lassen Sie die Seite geöffnet, bis es gesendet wurde.',
    full: 'Es warten bereits zu viele Einträge, deshalb kann dieser nicht für später gespeichert werden. Lassen Sie die Seite geöffnet, bis er gesendet wurde.',
    noSpace:
      'Ihr Browser hat keinen Speicherplatz mehr, deshalb kann das nicht für später gespeichert werden. Lassen Sie die Seite geöffnet, bis es gesendet wurde.',
    storageFailed: 'Der Speicher Ihres Browsers reagiert nicht. Versuchen Sie es noch einmal.',
    invalid: 'Prüfen Sie Ihre Eingaben.',
    signIn: 'Melden Sie sich an, um es zu senden.',
    otherUser:
      'In diesem Browser hat sich jemand anders angemeldet. Ihr Text ist für Sie gespeichert und wird nicht in fremdem Namen gesendet.',
    reload: 'Neu laden',
    refused: 'Dazu fehlt Ihnen die Berechtigung.',
    failed: 'Ein Fehler ist aufgetreten.',
    timeout:
      'Das hat zu lange gedauert und wurde abgebrochen. Ein Teil davon wurde vielleicht schon ausgeführt.',
    tooLarge: 'Das ist zu groß zum Senden.',
    updated:
      'Diese Website wurde aktualisiert. Bearbeiten Sie diesen Eintrag, und senden Sie ihn noch einmal.',
    tooOld: 'Dieser Eintrag ist zu alt, um automatisch gesendet zu werden.',
    unanswered: 'Die Website antwortet nicht.',
    edited: 'Sie haben begonnen, diesen Eintrag zu bearbeiten.',
    title: 'Noch nicht gesendet',
    waiting: 'Wartet auf eine Verbindung',
    sending: 'Wird gesendet …',
    current: 'Derzeit gespeichert:',
    withdraw: 'Löschen',
    edit: 'Bearbeiten',
    retry: 'Jetzt senden',
    ok: 'OK',
  },
  form: {
    restored: 'Ihre Eingaben sind wieder da. Sie wurden noch nicht gesendet.',
    ok: 'OK',
  },
}
