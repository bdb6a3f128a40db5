import { migrateUp, migrateDown } from '/work/main/src/db/migrate.ts';
import { openPool } from '/work/main/src/db/pool.ts';
import { readTokenUsage, readScraping } from '/work/main/src/services/analytics.ts';
import pg from '/work/main/node_modules/pg/lib/index.js';
const admin = new pg.Client({connectionString:'postgres://postgres@127.0.0.1:55871/postgres'}); await admin.connect();
await admin.query('drop database if exists x with (force)'); await admin.query('create database x');
const url='postgres://postgres@127.0.0.1:55871/x';
await migrateUp({databaseUrl:url});
const c = new pg.Client({connectionString:url}); await c.connect();
await c.query(`insert into token_usage_records (occurred_at, provider, model, input_tokens, output_tokens)
 select timestamptz '2026-01-01Z' + n * interval '31.536 s', 'p'||n%3, 'model'||n%12, n%5000, n%700 from generate_series(1,1000000) n; analyze token_usage_records;`).catch(e=>console.log(e.message));
await c.query('vacuum analyze token_usage_records');
const pool = await openPool(url);
const time = async (l:string,f:()=>Promise<unknown>)=>{ for(let i=0;i<3;i++){const t=performance.now(); await f(); console.log(l,(performance.now()-t).toFixed(1));} };
const now=new Date('2026-10-31T12:00:00Z');
await time('tokens 85k/month', ()=>readTokenUsage(pool,{timezone:'Europe/Berlin'},now));
await time('scraping', ()=>readScraping(pool,{timezone:'Europe/Berlin'},now));
await time('scraping bad zone', ()=>readScraping(pool,{timezone:'UTC'},now));
await c.query(`update token_usage_records set occurred_at = timestamptz '2026-10-01Z' + n.n * interval '2.6 s' from (select record_id, row_number() over () n from token_usage_records) n where n.record_id = token_usage_records.record_id`);
await c.query('vacuum full analyze token_usage_records');
await time('tokens 1M/month', ()=>readTokenUsage(pool,{timezone:'Europe/Berlin'},now));
// read only
await c.query('begin read only'); console.log((await c.query(`select count(*) from month_to_date('nope/x', now())`)).rows); await c.query('rollback');
console.log((await c.query(`show timezone`)).rows);
await pool.end(); await c.end();
console.log(migrateDown.toString().slice(0,300));
