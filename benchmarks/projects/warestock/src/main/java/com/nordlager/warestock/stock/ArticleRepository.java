package com.nordlager.warestock.stock;

import java.util.List;
import java.util.Optional;

import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.query.Param;

public interface ArticleRepository extends JpaRepository<Article, Integer> {

    @Query(nativeQuery = true, value = """
            SELECT a.*
              FROM article a
             WHERE a.sku_key = normalize(:sku)
            """)
    Optional<Article> findByScannedSku(@Param("sku") String sku);

    @Query(value = "SELECT a.* FROM article a WHERE a.sku ~ '^[A-Z]{2}-[0-9]+$' ORDER BY a.sku", nativeQuery = true)
    List<Article> findWithSupplierSku();

    @Query(nativeQuery = true, value = """
            SELECT a.*
              FROM article a
             WHERE to_tsvector('simple', a.title) @@ plainto_tsquery('simple', :words)
             ORDER BY a.sku
             LIMIT 50 OFFSET :skip
            """)
    List<Article> search(@Param("words") String words, @Param("skip") int skip);

    @Query(nativeQuery = true, value = """
            SELECT json_object(array['sku', a.sku, 'title', a.title])::text
              FROM article a
             WHERE a.id = :id
            """)
    String exportJson(@Param("id") int id);
}
