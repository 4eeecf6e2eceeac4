-- The functions moved into the service (ArticleRepository.search).
DROP FUNCTION IF EXISTS article_weight;

-- Kolding still runs the 2.x client, which calls them.
DO $$
BEGIN
    IF current_setting('warestock.keep_search', true) IS DISTINCT FROM 'on' THEN
        DROP FUNCTION IF EXISTS find_article;
    END IF;
END
$$;
