// Another process: takes and releases the write lock of a file as it is told.
import { openSqlite } from '@svc/auth/sqlite'

const handle = openSqlite(process.argv[2])
process.on('message', (sql) => {
  handle.exec(sql)
  process.send('done')
})
process.send('ready')
