-- Run with sqlplus on the card processor's system; its output is compared by hand.
SELECT card_no, SUM(amount)
  FROM card_postings
 WHERE rownum <= 500AND posted >= TRUNC(SYSDATE, 'MM')
 GROUP BY card_no;
EXIT
