import type { CompleteTexts } from 'waymark/server'

const reloadOrBack = 'Laden Sie die Seite neu, oder gehen Sie zurück.'

/** German texts of the core's screens and notices. */
export const de: CompleteTexts = {
  notices: {
    slow: 'Diese Seite lädt länger als gewöhnlich.',
    stillLoading: 'Diese Seite wird noch geladen.',
    needsReload:
      'Um diese Seite zu öffnen, muss die Website neu geladen werden. Was Sie hier eingegeben haben, geht dabei verloren.',
    failed: 'Diese Seite konnte nicht geladen werden. Gleich folgt ein neuer Versuch.',
    offline: 'Sie sind offline. Die Seite wird geladen, sobald Sie wieder online sind.',
    missingCode: 'Ein Teil dieser Seite konnte nicht geladen werden.',
    missingActions:
      'Das konnte nicht gesendet werden, weil ein Teil dieser Seite nicht geladen wurde. Ihre Eingaben sind noch da.',
    redirectLoop: 'Diese Seite konnte nicht geladen werden, weil sie immer wieder weiterleitet.',
    refused:
      'Diese Seite konnte nicht geladen werden. Der Server hat die Anfrage abgelehnt (Status {status}).',
    cookiesTooLarge:
      'Diese Seite konnte nicht geladen werden, weil die Cookies dieser Website zu groß sind. Wenn Sie die Cookies löschen, müssen Sie sich eventuell neu anmelden.',
    clearCookies: 'Cookies löschen',
    keepWaiting: 'Weiter warten',
    reload: 'Neu laden',
    open: 'Seite öffnen',
    retry: 'Erneut versuchen',
    cancel: 'Abbrechen',
  },
  otherHttp: { heading: 'Ein unerwarteter Fehler ist aufgetreten', sentence: reloadOrBack },
  clientError: {
    heading:
      'Anwendungsfehler: Beim Laden von {host} ist im Browser ein Fehler aufgetreten (Einzelheiten stehen in der Konsole des Browsers).',
    sentence: reloadOrBack,
  },
  serverError: {
    heading:
      'Anwendungsfehler: Beim Laden von {host} ist auf dem Server ein Fehler aufgetreten (Einzelheiten stehen im Protokoll des Servers).',
    sentence: reloadOrBack,
  },
  statusTitle: '{status}: {heading}',
  clientErrorTitle: 'Anwendungsfehler: Im Browser ist ein Fehler aufgetreten',
  serverErrorTitle: 'Anwendungsfehler: Auf dem Server ist ein Fehler aufgetreten',
  digest: 'Fehlerkennung: {digest}',
  reload: 'Neu laden',
  back: 'Zurück',
  home: 'Startseite',
  sizeLimit: 'Die Grenze liegt bei {limit}.',
  sizes: { bytes: '{size} Byte', kilobytes: '{size} kB', megabytes: '{size} MB' },
  clearCookies: 'Cookies dieser Website löschen',
  http: {
    400: {
      heading: 'Ungültige Anfrage',
      sentence:
        'Der Server konnte die Anfrage nicht verstehen. Prüfen Sie die Adresse auf Tippfehler.',
    },
    401: {
      heading: 'Sie haben keinen Zugriff auf diese Seite.',
      sentence:
        'Melden Sie sich mit einem Konto an, das Zugriff hat, und versuchen Sie es dann erneut.',
    },
    403: {
      heading: 'Der Zugriff auf diese Seite ist nicht erlaubt.',
      sentence: 'Sie haben nicht die nötige Berechtigung, um diese Seite anzusehen.',
    },
    404: {
      heading: 'Diese Seite wurde nicht gefunden.',
      sentence:
        'Vielleicht enthält die Adresse einen Tippfehler, oder die Seite wurde verschoben oder gelöscht.',
    },
    405: {
      heading: 'Methode nicht erlaubt',
      sentence: 'Diese Adresse nimmt Anfragen dieser Art nicht an.',
    },
    406: {
      heading: 'Kein passendes Format',
      sentence: 'Der Server kann diese Seite in keinem Format senden, das Ihr Browser akzeptiert.',
    },
    408: {
      heading: 'Die Anfrage hat zu lange gedauert',
      sentence:
        'Ein Teil der Anfrage ist nicht angekommen. Prüfen Sie Ihre Verbindung, und versuchen Sie es dann erneut.',
    },
    409: {
      heading: 'Diese Seite ist nicht mehr aktuell',
      sentence:
        'Gehen Sie zurück, und laden Sie die Seite neu. Prüfen Sie, ob Ihre Eingabe gespeichert wurde, bevor Sie sie noch einmal senden.',
    },
    411: {
      heading: 'Längenangabe fehlt',
      sentence: 'Die Anfrage hat ihre Länge nicht angegeben. Laden Sie die Seite neu.',
    },
    412: {
      heading: 'Diese Seite ist nicht mehr aktuell',
      sentence:
        'Sie hat sich geändert, seit Ihr Browser sie geladen hat. Laden Sie sie neu, um den aktuellen Stand zu sehen.',
    },
    413: {
      heading: 'Das ist zu groß zum Senden',
      sentence:
        'Gehen Sie zurück, und wählen Sie eine kleinere Datei, oder kürzen Sie Ihren Text. Ihre Eingaben sind noch da.',
    },
    414: {
      heading: 'Diese Adresse ist zu lang',
      sentence: 'Prüfen Sie die Adresse auf Fehler, oder beginnen Sie auf der Startseite.',
    },
    415: {
      heading: 'Der Server kann diese Art von Inhalt nicht lesen',
      sentence:
        'Gehen Sie zurück, und versuchen Sie es erneut. Falls Sie eine Datei ausgewählt haben, wählen Sie eine mit einem anderen Dateityp.',
    },
    416: {
      heading: 'Bereich nicht verfügbar',
      sentence:
        'Diesen Teil der Datei gibt es nicht. Laden Sie die Seite neu, um die ganze Datei zu erhalten.',
    },
    417: {
      heading: 'Erwartung nicht erfüllt',
      sentence: 'Der Server kann nicht leisten, was die Anfrage erwartet. Laden Sie die Seite neu.',
    },
    422: {
      heading: 'Eine Ihrer Eingaben ist ungültig',
      sentence: 'Gehen Sie zurück, prüfen Sie Ihre Eingaben, und senden Sie sie noch einmal.',
    },
    429: {
      heading: 'Zu viele Anfragen',
      sentence: 'Warten Sie einen Moment, und laden Sie die Seite dann neu.',
    },
    431: {
      heading: 'Die Cookies dieser Website sind zu groß',
      sentence:
        'Ihr Browser sendet mehr Cookies, als der Server annimmt. Löschen Sie sie, um fortzufahren. Eventuell müssen Sie sich neu anmelden.',
    },
    500: {
      heading: 'Interner Serverfehler',
      sentence: 'Auf dem Server ist etwas schiefgegangen. Laden Sie die Seite neu.',
    },
    503: {
      heading: 'Diese Website ist überlastet',
      sentence:
        'Diese Seite kann gerade nicht angezeigt werden. Laden Sie sie in einem Moment neu.',
    },
    504: {
      heading: 'Das hat zu lange gedauert',
      sentence:
        'Der Server hat den Vorgang abgebrochen, aber ein Teil davon wurde vielleicht schon ausgeführt. Gehen Sie zurück, und prüfen Sie das, bevor Sie es erneut versuchen.',
    },
  },
  actions: {
    network: 'Das konnte nicht gesendet werden. Ihre Eingaben sind noch da.',
    foreign:
      'Das konnte nicht gesendet werden, weil nicht diese Website geantwortet hat, sondern etwas anderes. Ihre Eingaben sind noch da.',
    broken:
      'Die Antwort ist unvollständig angekommen. Sie können es gefahrlos erneut versuchen: Nichts wird doppelt ausgeführt.',
    refused:
      'Das konnte nicht gesendet werden. Der Server hat es abgelehnt (Status {status}). Ihre Eingaben sind noch da.',
    cookiesTooLarge:
      'Das konnte nicht gesendet werden, weil die Cookies dieser Website zu groß sind. Löschen Sie sie in den Einstellungen Ihres Browsers, und senden Sie es dann noch einmal. Ihre Eingaben sind noch da.',
    late: 'Noch keine Antwort. Sie können es gefahrlos erneut versuchen: Nichts wird doppelt ausgeführt.',
    offline:
      'Sie sind offline. Ihre Eingaben sind noch da und werden gesendet, sobald Sie wieder online sind.',
    many: '{count} Eingaben konnten nicht gesendet werden. Sie sind alle noch da.',
    failed: 'Das hat nicht funktioniert. Ihre Eingaben sind noch da.',
    updated: 'Diese Website wurde aktualisiert, und dieses Formular gibt es nicht mehr.',
    restored:
      'Diese Website wurde aktualisiert und die Seite neu geladen. Ihre Eingaben sind noch da. Senden Sie sie noch einmal.',
    foreignOrigin: 'Das kann nur von dieser Website aus gesendet werden.',
    otherUser:
      'In diesem Browser hat sich jemand anders angemeldet. Ihre Eingaben sind noch da. Melden Sie sich wieder an, um sie zu senden.',
    resultGone: 'Das wurde bereits erledigt. Laden Sie die Seite neu, um das Ergebnis zu sehen.',
    tooLarge:
      'Das ist zu groß zum Senden. Wählen Sie eine kleinere Datei, oder kürzen Sie Ihren Text.',
    sizeLimit: 'Die Grenze liegt bei {limit}.',
    timeout:
      'Das hat zu lange gedauert und wurde abgebrochen. Ein Teil davon wurde vielleicht schon ausgeführt.',
    wait: 'Weiter warten',
    retry: 'Erneut versuchen',
    dismiss: 'Schließen',
    ok: 'OK',
  },
  files: {
    onlyOne: 'Wählen Sie nur eine Datei.',
    tooMany: 'Wählen Sie höchstens {count} Dateien.',
    tooLarge: '{name} ist größer als {limit}.',
    empty: '{name} ist leer.',
    type: '{name} hat den falschen Dateityp. Erlaubt: {types}.',
  },
  theme: {
    select: { label: 'Farbschema', names: { system: 'System', light: 'Hell', dark: 'Dunkel' } },
    toggle: {
      label: 'Farbschema: {state}. Zu {next} wechseln.',
      names: { system: 'System', light: 'Hell', dark: 'Dunkel', other: 'anderes' },
    },
  },
}
